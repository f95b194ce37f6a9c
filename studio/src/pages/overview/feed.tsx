// What just happened, out of every stream, the newest first.
import { api, every } from '@/api/client';
import { Empty } from '@/parts/blank';
import { Card } from '@/parts/page';
import { Ago } from '@/parts/time';
import { tell } from '../events/tell';

const STREAMS = ['all', 'lock', 'task', 'env'] as const;
const OPTIONS = { refetchInterval: every(3_000) };
const MOST = 40;

function useStream(stream: string) {
  return api.useQuery('get', '/api/v1/events/{stream}', { params: { path: { stream }, query: { limit: MOST } } }, OPTIONS).data ?? [];
}

export function Feed() {
  const [all, lock, task, env] = [useStream('all'), useStream('lock'), useStream('task'), useStream('env')];
  const merged = [all, lock, task, env]
    .flatMap((entries, at) => entries.map((entry) => ({ ...entry, stream: STREAMS[at] ?? 'all' })))
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MOST);
  return (
    <Card title="Just now">
      {merged.length === 0 ? (
        <Empty title="Nothing happened yet." cli="quorate events publish all hello" />
      ) : (
        <ol className="feed" aria-label="What just happened" tabIndex={0}>
          {merged.map((entry) => (
            <li key={`${entry.stream} ${entry.id}`}>
              <span className="faint">
                <Ago at={entry.at} />
              </span>
              <span className="soft">{entry.stream}</span>
              <span className="foreign">{tell(entry.fields)}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
