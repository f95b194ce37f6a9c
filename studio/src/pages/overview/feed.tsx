// What just happened, out of every stream, the newest first, as it happens.
import { useStreams } from '@/api/streams';
import { Empty, Failed, Loading } from '@/parts/blank';
import { FeedList } from '@/parts/feed';
import { Card } from '@/parts/page';
import { Ago } from '@/parts/time';
import { tell } from '../events/tell';

const STREAMS = ['all', 'lock', 'task', 'env'] as const;
const MOST = 40;

export function Feed() {
  const { entries, error, pending } = useStreams(STREAMS, MOST);
  return (
    <Card title="Just now">
      {entries.length > 0 ? (
        <FeedList
          label="What just happened"
          items={entries}
          name={(entry) => `${entry.stream} ${entry.id}`}
          row={(entry) => (
            <>
              <span className="faint">
                <Ago at={entry.at} />
              </span>
              <span className="soft">{entry.stream}</span>
              <span className="foreign">{tell(entry.fields)}</span>
            </>
          )}
        />
      ) : error ? <Failed error={error} /> : pending ? <Loading /> : <Empty title="Nothing happened yet." cli="quorate events publish all hello" />}
    </Card>
  );
}
