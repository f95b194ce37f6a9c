// Streams as they grow, in one line of time. What the store no longer has is said as a gap.
import { useMemo, useState } from 'react';
import { type Told, useStreams } from '@/api/streams';
import { Empty, Failed, Loading } from '@/parts/blank';
import { Drawer } from '@/parts/drawer';
import { FeedList } from '@/parts/feed';
import { Filter, Several, matches } from '@/parts/filter';
import { Card, Payload, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { kindOf, tell } from './tell';

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
  const [params] = useParams();
  const [open, setOpen] = useState<Told>();
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
            name={(entry) => `${entry.stream} ${entry.id}`}
            row={(entry) => (
              <>
                <span className="faint"><Ago at={entry.at} /></span>
                <span className="soft">{entry.stream}</span>
                <button type="button" className="button link" data-kind="plain" onClick={() => setOpen(entry)}><bdi>{kindOf(entry.fields).slice(0, 28)}</bdi></button>
                <span className="foreign">{tell(entry.fields).slice(kindOf(entry.fields).length).trim()}</span>
              </>
            )}
          />
          <p className="small faint card-body">{count(shown.length, 'event')}, the newest first.</p>
        </>
      ) : error ? <Failed error={error} /> : pending ? <Loading /> : <Empty title={entries.length > 0 ? 'No event is like that.' : 'Nothing happened there yet.'} cli="quorate events publish all hello" />}
      {open && (
        <Drawer label="Event" title={<><strong className="foreign">{kindOf(open.fields)}</strong><span className="soft">of {open.stream}</span></>} onClose={() => setOpen(undefined)}>
          <Payload value={open} label="Event" />
        </Drawer>
      )}
    </>
  );
}
