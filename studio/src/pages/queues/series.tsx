// How deep the queues were and how long their oldest item had waited, as the plane has sampled it.
import { api } from '@/api/client';
import { Empty } from '@/parts/blank';
import { Chart, type Series } from '@/parts/chart';
import { useParams } from '@/parts/params';

export interface Depths {
  times: number[];
  all: Series[];
  oldest: Series[];
}

const NONE: Depths = { times: [], all: [], oldest: [] };

export function useDepths(): Depths {
  const [params] = useParams();
  const series = api.useQuery('get', '/api/v1/overview/series', { params: { query: { last: params.last ?? '15m' } } }, { refetchInterval: 15_000, select: read }).data;
  return series ?? NONE;
}

function read(answer: { series: { name: string; at: number[]; values: Record<string, (number | null)[]> }[] }): Depths {
  const queues = answer.series.filter((one) => one.name.startsWith('queue:'));
  const column = (name: string, by: number) => queues.map((one) => ({ name: one.name.slice('queue:'.length), points: (one.values[name] ?? []).map((value) => (value === null ? null : Math.round(value / by))) }));
  return { times: queues[0]?.at ?? [], all: column('depth', 1), oldest: column('oldest_ms', 1000) };
}

export function DepthChart({ depths, queues, narrow }: { depths: Depths; queues: string[]; narrow?: boolean }) {
  const shown = new Set(queues);
  const busy = (all: Series[]) => all.filter((one) => shown.has(one.name) && one.points.some((point) => (point ?? 0) > 0)).slice(0, 5);
  const [deep, old] = [busy(depths.all), busy(depths.oldest)];
  if (deep.length === 0) return <Empty title="Nothing has waited in this time, or it is too early to say.">A sample is taken twice a minute while the plane runs.</Empty>;
  return (
    <div className={narrow ? 'stack' : 'split even flush'}>
      <Chart caption="Items waiting" label="How many items waited in each queue" times={depths.times} series={deep} />
      {old.length > 0 && <Chart caption="Age of the oldest, in seconds" label="How long the oldest item had waited, in seconds" times={depths.times} series={old} unit=" s" />}
    </div>
  );
}
