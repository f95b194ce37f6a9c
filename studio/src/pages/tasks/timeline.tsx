// What was reported of a task and seen to happen to it, the newest first.
import { api } from '@/api/client';
import { standIn } from '@/parts/blank';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { tell } from '../events/tell';

type Event = Record<string, unknown>;
const FAST = { refetchInterval: 2_000 };
const word = (value: unknown) => (typeof value === 'string' ? value : '');

export function Timeline({ id, at, pick }: { id: string; at: string | undefined; pick: (node: string) => void }) {
  const path = { params: { path: { task_id: id }, query: { limit: 200 } } };
  const history = api.useQuery('get', '/api/v1/tasks/{task_id}/history', path, FAST);
  const seen = api.useQuery('get', '/api/v1/tasks/{task_id}/observations', path, FAST).data?.events ?? [];
  const told = (history.data?.events ?? []) as Event[];
  const all = [...told, ...(seen as Event[])].sort((a, b) => (word(a.timestamp) < word(b.timestamp) ? 1 : -1));
  return (
    standIn(history, 3) ?? (
      <>
        <ol className="list card" aria-label="Timeline">
          {all.map((event, index) => {
            const node = nodeOf(id, told, event);
            return (
              <li key={index} className="row" data-at={node === at} style={node && node === at ? { background: 'var(--accent-soft)' } : undefined}>
                <button type="button" className="button" data-kind="plain" style={{ height: 'auto', padding: 0 }} disabled={!node} aria-pressed={node === at} onClick={() => node && pick(node)}>
                  <State word={word(event.status) || word(event.event_type) || 'seen'} tone={event.status ? undefined : 'accent'} />
                </button>
                <span className="grow foreign">{word(event.message) || rest(event)}</span>
                <span className="faint small">
                  <Ago at={word(event.timestamp)} />
                </span>
              </li>
            );
          })}
        </ol>
        {history.data?.truncated && <p className="small faint">Older events are not kept.</p>}
      </>
    )
  );
}

const NAMED = new Set(['status', 'event_type', 'task_id', 'seq', 'timestamp']);

function rest(event: Event): string {
  const more = Object.entries(event).filter(([name]) => !NAMED.has(name));
  return more.length > 0 ? tell(Object.fromEntries(more)).replace(/^event\s+/, '') : '';
}

/** The graph names an event by its task and its place, the oldest first. */
function nodeOf(id: string, told: Event[], event: Event): string | undefined {
  const place = told.indexOf(event);
  return place < 0 ? undefined : `status:${id}:${told.length - place}`;
}
