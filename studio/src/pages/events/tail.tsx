// Streams as they grow, in one line of time. What the store no longer has is said as a gap.
import { useMemo } from 'react';
import { type Told, useStreams } from '@/api/streams';
import { Empty, Failed, Loading } from '@/parts/blank';
import { Drawer } from '@/parts/drawer';
import { FeedList } from '@/parts/feed';
import { Filter, Several, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Facts, Payload, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { kindOf, said } from './tell';

const STREAMS = { all: 'the mesh', lock: 'locks', task: 'tasks', approval: 'approvals', env: 'the environment', wake: 'wakes', pending: 'observations' };
const USUAL = 'all,lock,task,approval,env,wake';
const MOST = 400;

export function EventTail() {
  const [params] = useParams();
  const chosen = params.stream ?? USUAL;
  const streams = useMemo(() => chosen.split(',').filter((name) => name in STREAMS), [chosen]);
  return (
    <Card title="Events" aside={<Filter label="Text" />}>
      <Several name="stream" label="Streams" options={STREAMS} usual={USUAL} />
      {streams.length === 0 ? <Empty title="Choose a stream above." /> : <Lines key={chosen} streams={streams} />}
    </Card>
  );
}

function Lines({ streams }: { streams: string[] }) {
  const [params, set] = useParams();
  const { entries, gaps, error, pending } = useStreams(streams, MOST);
  const shown = entries.filter((entry) => matches(params.q, entry.stream, JSON.stringify(entry.fields)));
  return (
    <>
      {gaps.map(({ gap }, at) => (
        <p key={at} className="card-body row"><State word="gap" tone="bad" /><span className="foreign">Entries are missing: {gap}</span></p>
      ))}
      {shown.length > 0 ? (
        <>
          <FeedList
            kind="tall streams"
            label="Events"
            items={shown}
            name={nameOf}
            row={(entry) => (
              <>
                <span className="faint"><Ago at={entry.at} /></span>
                <span className="soft">{entry.stream}</span>
                <button type="button" className="button link" data-kind="plain" onClick={() => set({ event: nameOf(entry) })}><bdi>{kindOf(entry.fields).slice(0, 28)}</bdi></button>
                <span className="foreign">{said(entry.fields)}</span>
              </>
            )}
          />
          <p className="small faint card-body">{count(shown.length, 'event')}, the newest first.</p>
        </>
      ) : error ? <Failed error={error} /> : pending ? <Loading /> : <Empty title={entries.length > 0 ? 'No event is like that.' : 'Nothing happened there yet.'} cli="quorate events publish all hello" />}
      {params.event && !pending && <Opened name={params.event} event={entries.find((entry) => nameOf(entry) === params.event)} onClose={() => set({ event: undefined })} />}
    </>
  );
}

const nameOf = (entry: Told) => `${entry.stream} ${entry.id}`;

function Opened({ name, event, onClose }: { name: string; event: Told | undefined; onClose: () => void }) {
  return (
    <Drawer label="Event" title={<><strong className="foreign">{event ? kindOf(event.fields) : name}</strong>{event && <span className="soft">of {event.stream}</span>}</>} onClose={onClose}>
      {event ? (
        <>
          <Facts of={{ When: <Ago at={event.at} />, Says: said(event.fields), Id: <Id id={event.id} /> }} />
          <Payload value={event.fields} label="Event" />
        </>
      ) : (
        <Empty title="It is not among the newest of its stream.">The last {MOST} events of the chosen streams are looked at; older ones are trimmed or further back.</Empty>
      )}
    </Drawer>
  );
}
