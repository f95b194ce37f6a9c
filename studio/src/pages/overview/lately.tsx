// How it has been: what waits and who is here, over the last while.
import { api } from '@/api/client';
import { Empty, standIn } from '@/parts/blank';
import { Chart } from '@/parts/chart';
import { Choice } from '@/parts/filter';
import { Card } from '@/parts/page';
import { useParams } from '@/parts/params';

export const LASTS = { '': 'Last 15 minutes', '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last 24 hours' };

export function Lately() {
  const [params] = useParams();
  const query = api.useQuery('get', '/api/v1/overview/series', { params: { query: { last: params.last ?? '15m' } } }, { refetchInterval: 15_000 });
  const series = query.data?.series ?? [];
  const times = series[0]?.at ?? [];
  const queues = series.filter((one) => one.name.startsWith('queue:'));
  const sum = times.map((_, at) => {
    const known = queues.map((queue) => queue.values.depth?.[at] ?? null).filter((value) => value !== null);
    return known.length > 0 ? known.reduce((a, b) => a + b, 0) : null;
  });
  const of = (name: string, column: string) => series.find((one) => one.name === name)?.values[column] ?? times.map(() => null);
  const lines = [
    { name: 'items waiting', points: sum },
    { name: 'agents online', points: of('agents', 'online') },
    { name: 'waits for locks', points: of('locks', 'waits') },
  ];
  const known = lines.some((one) => one.points.filter((point) => point !== null).length > 1);
  return (
    <Card title="Lately" aside={<Choice name="last" label="Over how long" options={LASTS} />}>
      {standIn(query) ?? (known ? <Chart label="Items waiting, agents online and waits for locks" times={times} series={lines} /> : <Empty title="Too early to say.">A sample is taken twice a minute while the plane runs.</Empty>)}
    </Card>
  );
}
