// The drawing of series, by uPlot.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartProps } from './chart';

const INKS = ['--accent', '--warn', '--ok', '--bad', '--idle'];
const HEIGHT = 190;

export default function Drawn({ times, series, unit }: ChartProps) {
  const own = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const names = series.map((one) => one.name).join('\n');
  useEffect(() => {
    const place = own.current;
    if (!place) return;
    const ink = (name: string) => resolve(place, name);
    const axis = { stroke: ink('--ink-faint'), grid: { stroke: ink('--line'), width: 1 }, ticks: { show: false }, font: '11px IBM Plex Mono' };
    const lines = names.split('\n').map((label, index) => ({ label, stroke: ink(INKS[index % INKS.length] ?? '--accent'), width: 1.5, points: { show: false }, spanGaps: false, value: (_: uPlot, value: number | null) => (value === null ? '–' : `${value}${unit ?? ''}`) }));
    const made = new uPlot({ width: place.clientWidth, height: HEIGHT, series: [{}, ...lines], axes: [axis, { ...axis, size: 52 }], scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } } }, [[], ...lines.map(() => [])], place);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: place.clientWidth, height: HEIGHT }));
    watch.observe(place);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, [names, unit]);
  useEffect(() => plot.current?.setData([times, ...series.map((one) => one.points)]), [times, series, names]);
  return <div ref={own} />;
}

/** A canvas needs a colour, and the theme may give it in two forms: the browser decides which. */
function resolve(place: HTMLElement, name: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  place.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
