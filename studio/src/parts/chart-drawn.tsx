// The drawing of series, by uPlot.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useDark } from '@/shell/theme';
import type { ChartProps } from './chart';

const INKS = ['--accent', '--warn', '--ok', '--bad', '--idle'];
const HEIGHT = 176;

export default function Drawn({ times, series, unit }: ChartProps) {
  const own = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const names = series.map((one) => one.name).join('\n');
  const dark = useDark();
  useEffect(() => {
    const place = own.current;
    if (!place) return;
    const ink = (name: string) => resolve(place, name);
    const axis = { stroke: ink('--ink-faint'), grid: { stroke: ink('--line'), width: 1 }, ticks: { show: false }, font: '11px IBM Plex Mono' };
    const lines = names.split('\n').map((label, index) => ({ label, stroke: ink(INKS[index % INKS.length] ?? '--accent'), width: 1.5, points: { size: 4 }, spanGaps: false, value: (_: uPlot, value: number | null) => (value === null ? '–' : `${value}${unit ?? ''}`) }));
    const made = new uPlot({ width: place.clientWidth, height: HEIGHT, series: [{ value: (_, at) => (at ? clock(at, 19) : '–') }, ...lines], axes: [{ ...axis, size: 30, values: (_, all) => all.map((at) => clock(at, 16)) }, { ...axis, size: 52 }], scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } } }, [[], ...lines.map(() => [])], place);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
    watch.observe(place);
    return () => {
      watch.disconnect();
      made.destroy();
    };
    // A canvas keeps the colours it was drawn in, so another theme is another drawing.
  }, [names, unit, dark]);
  useEffect(() => {
    plot.current?.setData([times, ...series.map((one) => one.points)]);
    // Until the pointer asks for another time, the last one of which something is known is read.
    const last = times.findLastIndex((_, at) => series.some((one) => one.points[at] !== null && one.points[at] !== undefined));
    // It is drawn in a moment of its own, which would clear what is said before.
    const timer = setTimeout(() => {
      if (last >= 0 && (plot.current?.cursor.left ?? -1) < 0) plot.current?.setLegend({ idx: last });
    }, 50);
    return () => clearTimeout(timer);
  }, [times, series, names, dark]);
  return <div ref={own} />;
}

/** In UTC, as every other exact time. */
const clock = (seconds: number, end: number) => new Date(seconds * 1000).toISOString().slice(11, end);

/** A canvas needs a colour, and the theme may give it in two forms: the browser decides which. */
function resolve(place: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  place.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
