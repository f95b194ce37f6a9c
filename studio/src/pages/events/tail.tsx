// One stream as it grows. What the store no longer has is said as a gap.
import { useState } from 'react';
import { useTail } from '@/api/live';
import { Empty } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { Drawer } from '@/parts/drawer';
import { Card, Payload, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { kindOf, tell } from './tell';

const STREAMS = { '': 'everything', lock: 'locks', task: 'tasks', approval: 'approvals', env: 'the environment', wake: 'wakes', pending: 'observations' };
const MOST = 400;

export function EventTail({ streams }: { streams: { stream: string; length: number }[] }) {
  const [params] = useParams();
  const [open, setOpen] = useState<Record<string, unknown>>();
  const stream = params.stream || 'all';
  const tail = useTail(`/api/v1/live/events/${encodeURIComponent(stream)}?since=0-0`);
  const shown = (tail.items ?? []).filter((entry) => entry.kind === 'gap' || matches(params.q, JSON.stringify(entry.data))).slice(-MOST).reverse();
  const total = streams.reduce((sum, one) => sum + one.length, 0);
  return (
    <Card title={count(shown.length, 'event')} aside={<><Choice name="stream" label="Stream" options={STREAMS} /><Filter label="Text" /></>}>
      {shown.length === 0 ? (
        <Empty title={total > 0 ? 'This stream is empty; choose another one.' : 'Nothing happened yet.'} cli="quorate events publish all hello" />
      ) : (
        <ol className="feed tall" aria-label="Events" tabIndex={0}>
          {shown.map((entry, at) => {
            const fields = (entry.data.fields ?? {}) as Record<string, unknown>;
            const id = String(entry.data.id ?? at);
            if (entry.kind === 'gap') {
              return (
                <li key={`gap ${at}`}>
                  <State word="gap" tone="bad" />
                  <span />
                  <span className="foreign">Entries are missing here: {String(entry.data.reason ?? 'no longer kept')}</span>
                </li>
              );
            }
            return (
              <li key={id}>
                <span className="faint"><Ago at={String(entry.data.at ?? '')} /></span>
                <button type="button" className="button link" data-kind="plain" onClick={() => setOpen(entry.data)}><bdi>{kindOf(fields).slice(0, 24)}</bdi></button>
                <span className="foreign">{tell(fields).slice(kindOf(fields).length).trim()}</span>
              </li>
            );
          })}
        </ol>
      )}
      {open && (
        <Drawer label="Event" title={<strong>{kindOf((open.fields ?? {}) as Record<string, unknown>)}</strong>} onClose={() => setOpen(undefined)}>
          <Payload value={open} label="Event" />
        </Drawer>
      )}
    </Card>
  );
}
