// How deep the queues were: what the live view said since the page was opened, a point for each two seconds.
import { useEffect, useState } from 'react';
import { type Queue, useView } from '@/api/live';
import { isPaused } from '@/api/pause';
import { Empty } from '@/parts/blank';
import { Chart, type Series } from '@/parts/chart';
import { serverNow } from '@/api/clock';

export interface Depths {
  times: number[];
  all: Series[];
}

const STEP_MS = 2_000;
const MOST = 450;
let kept: Depths = { times: [], all: [] };

export function useDepths(): Depths {
  const queues = useView('queues').items;
  const [depths, set] = useState(kept);
  useEffect(() => {
    const look = () => {
      if (!queues || isPaused()) return;
      kept = add(kept, queues);
      set(kept);
    };
    look();
    const timer = setInterval(look, STEP_MS);
    return () => clearInterval(timer);
  }, [queues]);
  return depths;
}

function add(before: Depths, queues: Queue[]): Depths {
  const now = Math.round(serverNow() / 1000);
  const last = before.times.at(-1) ?? 0;
  if (now - last < 1) return before;
  // Whoever was away has a gap, not a straight line.
  const gap = last > 0 && now - last > 10 ? [last + 1] : [];
  const times = [...before.times, ...gap, now].slice(-MOST);
  const all = queues.map(({ queue, depth }) => {
    const own = before.all.find((one) => one.name === queue)?.points ?? before.times.map(() => null);
    return { name: queue, points: [...own, ...gap.map(() => null), depth].slice(-MOST) };
  });
  return { times, all };
}

export function DepthChart({ depths, queues }: { depths: Depths; queues: Queue[] }) {
  const busy = depths.all.filter((one) => queues.some((queue) => queue.queue === one.name) && one.points.some((point) => (point ?? 0) > 0)).slice(0, 5);
  if (busy.length === 0) return <Empty title="Nothing has waited since this page was opened." />;
  return <Chart label="How many items waited in each queue" times={depths.times} series={busy} />;
}
