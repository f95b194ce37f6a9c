// Live series. Hovering reads all of them at one time; a gap in what is known is a gap in the line.
import { Suspense, lazy } from 'react';
import { Loading } from './blank';

export interface Series {
  name: string;
  points: (number | null)[];
}

export interface ChartProps {
  label: string;
  /** Seconds, the server's. */
  times: number[];
  series: Series[];
  unit?: string;
  /** What is drawn, where a page has several. */
  caption?: string;
}

const Drawn = lazy(() => import('./chart-drawn'));

export function Chart(props: ChartProps) {
  return (
    <div className="chart" role="img" aria-label={props.label}>
      {props.caption && <p className="small soft">{props.caption}</p>}
      <Suspense fallback={<Loading />}>
        <Drawn {...props} />
      </Suspense>
    </div>
  );
}

/** A line in a cell. */
export function Spark({ points, label }: { points: (number | null)[]; label: string }) {
  const known = points.filter((point): point is number => point !== null);
  if (known.length < 2) return <span className="faint">—</span>;
  const most = Math.max(...known, 1);
  const step = 100 / Math.max(points.length - 1, 1);
  let path = '';
  let pen = false;
  points.forEach((point, index) => {
    if (point === null) pen = false;
    else {
      path += `${pen ? 'L' : 'M'}${(index * step).toFixed(1)} ${(18 - (point / most) * 16).toFixed(1)}`;
      pen = true;
    }
  });
  return (
    <svg className="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
