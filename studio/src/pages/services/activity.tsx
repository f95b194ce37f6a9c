// What a service reports, as it is taken in: of all its tasks, or of one.
import { useState } from 'react';
import { useTail } from '@/api/live';
import { Empty } from '@/parts/blank';
import { line } from '@/parts/cli';
import { FeedList } from '@/parts/feed';
import { Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Payload, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State, toneOf } from '@/parts/state';
import { Ago } from '@/parts/time';

const MOST = 200;
const text = (value: unknown) => (typeof value === 'string' ? value : '');
/** `status.completed` is as good as `completed`. */
const kind = (event: Record<string, unknown>) => text(event.event_type) || 'event';

export function Activity({ id }: { id: string }) {
  const [params, set] = useParams();
  const [open, setOpen] = useState<string>();
  const tail = useTail('services', `/${encodeURIComponent(id)}`);
  const all = (tail.items ?? []).map((entry) => entry.data);
  const shown = all.filter((event) => (!params.task || event.task_id === params.task) && matches(params.find, kind(event), text(event.task_id), JSON.stringify(event.payload))).slice(-MOST).reverse();
  return (
    <div className="card">
      <div className="card-head">
        <span className="soft small">{params.task ? <>Of <Id id={params.task} copy={false} /> <button type="button" className="button link" data-kind="plain" onClick={() => set({ task: undefined }, { replace: true })}>show all tasks</button></> : <>{count(shown.length, 'event')}, the newest first</>}</span>
        <Filter name="find" label="Task, kind or text" />
      </div>
      {shown.length === 0 ? (
        <Empty title={all.length > 0 ? 'No event is like that.' : 'It has reported nothing yet.'} cli={line('services pull', id)} />
      ) : (
        <FeedList
          kind="tall activity"
          label="Activity"
          items={shown}
          name={(event) => text(event.dedupe_key)}
          row={(event) => {
            const key = text(event.dedupe_key);
            return (
              <>
                <span className="faint"><Ago at={text(event.timestamp) || text(event.ingested_at)} /></span>
                <button type="button" className="button link" data-kind="plain" aria-expanded={open === key} onClick={() => setOpen(open === key ? undefined : key)}>
                  <State word={kind(event)} tone={toneOf(kind(event).split('.').at(-1))} />
                </button>
                <span className="row">
                  <button type="button" className="button link" data-kind="plain" title="Only this task" onClick={() => set({ task: text(event.task_id) }, { replace: true })}><Id id={text(event.task_id)} most={34} copy={false} /></button>
                  {event.out_of_order === true && <State word="came late" tone="warn" />}
                </span>
                {open === key && <div className="whole"><Payload value={event} label="Event" /></div>}
              </>
            );
          }}
        />
      )}
    </div>
  );
}
