// Is everything all right, and if not, what needs a person now?
import { Link } from '@tanstack/react-router';
import { api } from '@/api/client';
import { serverNow } from '@/api/clock';
import { useView } from '@/api/live';
import { Empty } from '@/parts/blank';
import { Card, Page, count } from '@/parts/page';
import { State } from '@/parts/state';
import { span } from '@/parts/time';
import { type Need, useNeeds } from '@/shell/needs';
import { Feed } from './feed';

export default function Overview() {
  const needs = useNeeds();
  const agents = useView('agents');
  return (
    <Page title="Overview" at={agents.at} answer={<Answer needs={needs} known={agents.items !== undefined} />}>
      <Numbers />
      <div className="split">
        <Card title="What needs a person">
          {needs.length === 0 ? (
            <Empty title="Nothing needs you.">Agents that go quiet, rings of waits, dead letters, piled-up queues and losses appear here.</Empty>
          ) : (
            <ul className="list">
              {needs.map((need) => (
                <li key={need.says} className="row">
                  <State word={need.tone === 'bad' ? 'act' : 'look'} tone={need.tone} />
                  <span className="grow">
                    <Link to={need.page} search={need.search as never} className="foreign">
                      {need.says}
                    </Link>
                    <span className="small soft" style={{ display: 'block' }}>
                      {need.todo}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Feed />
      </div>
    </Page>
  );
}

function Answer({ needs, known }: { needs: Need[]; known: boolean }) {
  if (!known && needs.length === 0) return <>Looking…</>;
  if (needs.length === 0) return <>Everything is all right.</>;
  const [first, ...rest] = needs;
  return (
    <>
      <strong>{count(needs.length, 'thing needs', 'things need')} you</strong>: <span className={first?.tone}>{first?.says}</span>
      {rest.length > 0 && <>, {rest.map((need) => need.says).slice(0, 2).join(', ')}</>}
      {rest.length > 2 && <> and more</>}.
    </>
  );
}

function Numbers() {
  const agents = useView('agents').items ?? [];
  const queues = api.useQuery('get', '/api/v1/queues').data ?? [];
  const locks = api.useQuery('get', '/api/v1/locks', {}).data ?? [];
  const leases = api.useQuery('get', '/api/v1/tasks/-/leases', {}).data ?? [];
  const waiting = queues.reduce((sum, queue) => sum + queue.depth + queue.delayed, 0);
  const oldest = Math.max(0, ...queues.map((queue) => queue.oldest_age_ms ?? 0));
  const late = leases.filter((lease) => Date.parse(lease.until) < serverNow()).length;
  const tiles: [string, string | number, string][] = [
    ['/agents', agents.filter((agent) => agent.label === 'online' || agent.label === 'away').length, 'agents here'],
    ['/locks', locks.length, 'locks held'],
    ['/queues', waiting, 'items wait'],
    ['/queues', waiting > 0 ? span(oldest) : '–', 'oldest item'],
    ['/queues', queues.reduce((sum, queue) => sum + queue.in_flight, 0), 'items in flight'],
    ['/tasks', leases.length, late > 0 ? `task leases, ${late} lapsed` : 'task leases'],
  ];
  return (
    <div className="card tiles">
      {tiles.map(([to, number, word]) => (
        <Link key={word} to={to} className="tile">
          <div className="tile-number">{typeof number === 'number' ? number.toLocaleString('en') : number}</div>
          <div className="tile-word">{word}</div>
        </Link>
      ))}
    </div>
  );
}
