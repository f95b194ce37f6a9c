// Is everything all right, and if not, what needs a person now?
import { Link } from '@tanstack/react-router';
import { api } from '@/api/client';
import { asProblem } from '@/api/problem';
import { Empty, standIn } from '@/parts/blank';
import { Cli } from '@/parts/copy';
import { Card, Page, count } from '@/parts/page';
import { State } from '@/parts/state';
import { millis, span } from '@/parts/time';
import { type Need, needsOf, useOverview } from '@/shell/needs';
import { Feed } from './feed';
import { Lately } from './lately';

export default function Overview() {
  const query = useOverview();
  const needs = needsOf(query.data);
  return (
    <Page title="Overview" at={millis(query.data?.as_of)} answer={<Answer needs={needs} known={query.data !== undefined} error={query.error ?? query.failureReason} />}>
      <Numbers />
      <div className="split">
        <div className="stack">
          <Card title="What needs a person">{standIn(query) ?? <Needs all={needs} />}</Card>
          <Lately />
        </div>
        <Feed />
      </div>
    </Page>
  );
}

function Needs({ all }: { all: Need[] }) {
  if (all.length === 0) return <Empty title="Nothing needs you.">Agents that go quiet, rings of waits, dead letters, piled-up queues, overdue answers and losses appear here.</Empty>;
  return (
    <ul className="list" aria-label="What needs a person">
      {all.map((need) => (
        <li key={need.code + need.says} className="stack" style={{ gap: 6 }}>
          <div className="row" style={{ flexWrap: 'nowrap' }}>
            <State word={need.tone === 'bad' ? 'act' : 'look'} tone={need.tone} />
            <Link to={need.page} search={need.search as never} className="grow foreign">
              {need.says}
            </Link>
          </div>
          <p className="small soft lead">{need.todo}.</p>
          <Cli line={need.cli} />
        </li>
      ))}
    </ul>
  );
}

/** What was all right need not be so now: without an answer nobody says that it is. */
function Answer({ needs, known, error }: { needs: Need[]; known: boolean; error: unknown }) {
  if (error) return <><strong className="bad">Nobody can say right now</strong>: {asProblem(error).status === 403 ? 'you may not see how the plane is.' : 'the plane could not be looked at.'}</>;
  if (!known) return <>Looking…</>;
  if (needs.length === 0) return <>Everything is all right.</>;
  const [first] = needs;
  const says = first?.says ?? '';
  return (
    <>
      <strong>{count(needs.length, 'thing needs', 'things need')} you</strong>{needs.length > 1 ? ', first of all: ' : ': '}<span className={`${first?.tone} foreign`}>{says.length > 140 ? `${says.slice(0, 140)}…` : `${says}.`}</span>
    </>
  );
}

function Numbers() {
  const numbers = useOverview().data?.numbers;
  const queues = api.useQuery('get', '/api/v1/queues').data;
  const sum = (of: (queue: NonNullable<typeof queues>[number]) => number) => queues?.reduce((all, queue) => all + of(queue), 0);
  const waiting = sum((queue) => queue.depth + queue.delayed);
  const oldest = Math.max(0, ...(queues ?? []).map((queue) => queue.oldest_age_ms ?? 0));
  const tiles: [string, string | number | undefined, string][] = [
    ['/agents', numbers && numbers.agents_online + numbers.agents_away, 'agents here'],
    ['/locks', numbers?.lock_holds, 'locks held'],
    ['/locks', numbers?.lock_waits, 'wait for a lock'],
    ['/queues', waiting, 'items wait'],
    ['/queues', waiting ? span(oldest) : undefined, 'oldest item'],
    ['/queues', sum((queue) => queue.in_flight), 'items in flight'],
  ];
  return (
    <div className="card tiles">
      {tiles.map(([to, number, word]) => (
        <Link key={word} to={to} className="tile">
          <div className="tile-number">{number === undefined ? '–' : number.toLocaleString('en')}</div>
          <div className="tile-word">{word}</div>
        </Link>
      ))}
    </div>
  );
}
