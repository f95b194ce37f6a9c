// The loss ledger: what was destroyed before a group had acknowledged it.
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Card, count } from '@/parts/page';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';

type Loss = paths['/api/v1/events/losses']['get']['responses'][200]['content']['application/json'][number];

const COLUMNS: Column<Loss>[] = [
  { id: 'stream', head: 'Stream', cell: (loss) => <bdi className="mono">{loss.stream}</bdi>, by: (loss) => loss.stream },
  { id: 'group', head: 'Group', cell: (loss) => <bdi className="mono">{loss.group}</bdi>, by: (loss) => loss.group },
  { id: 'unread', head: 'Never read', width: 100, num: true, cell: (loss) => `${loss.exact ? '' : '≤ '}${loss.unread}`, by: (loss) => loss.unread },
  { id: 'pending', head: 'Not acknowledged', width: 140, num: true, cell: (loss) => loss.pending, by: (loss) => loss.pending },
  { id: 'exact', head: 'Counted', width: 110, wide: true, cell: (loss) => <State word={loss.exact ? 'exact' : 'at most'} tone={loss.exact ? 'ok' : 'warn'} /> },
  { id: 'cause', head: 'By', width: 140, wide: true, cell: (loss) => <bdi>{loss.cause}</bdi>, by: (loss) => loss.cause },
  { id: 'last', head: 'Last', width: 110, cell: (loss) => <Ago at={loss.last_at} />, by: (loss) => loss.last_at },
];

export function Losses() {
  const query = api.useQuery('get', '/api/v1/events/losses', {});
  return (
    <Card title={count(query.data?.length ?? 0, 'loss', 'losses')}>
      {standIn(query, 4) ?? <Table label="Losses" columns={COLUMNS} rows={query.data ?? []} name={(loss) => `${loss.stream} ${loss.group} ${loss.cause}`} empty={<Empty title="Nothing was lost.">What another client trims before a group has read it is counted here.</Empty>} />}
    </Card>
  );
}
