// Times as people read them: relative, by the server's clock, with the exact time on hover.
import { useSyncExternalStore } from 'react';
import { answeredAt, serverNow } from '@/api/clock';
import { useConnection } from '@/api/live';
import { isPaused, usePaused } from '@/api/pause';

let second = Math.floor(serverNow() / 1000);
const listeners = new Set<() => void>();

setInterval(() => {
  if (!isPaused()) second = Math.floor(serverNow() / 1000);
  listeners.forEach((listener) => listener());
}, 1000);

function tick(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Seconds by the server's clock, which stand still on a frozen page; whoever asks is drawn again every second. */
export const useSecond = () => useSyncExternalStore(tick, () => second);

/** Milliseconds of a time as the API says it: ISO text, seconds or milliseconds. */
export function millis(at: string | number | null | undefined): number | undefined {
  if (at === null || at === undefined || at === '') return undefined;
  const value = typeof at === 'number' ? (at > 1e14 ? at / 1000 : at > 1e11 ? at : at * 1000) : Date.parse(at);
  return Number.isFinite(value) ? value : undefined;
}

/** `4 s`, `12 min`, `3 h`, `5 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}\u00a0h\u00a0${Math.floor((seconds % 3600) / 60)}\u00a0min`;
  return `${Math.floor(seconds / 86_400)}\u00a0d`;
}

function told(then: number, now: number): string {
  const age = now - then;
  return Math.abs(age) < 1500 ? 'now' : age >= 0 ? `${span(age)}\u00a0ago` : `in\u00a0${span(-age)}`;
}

/** Drawn again only when its words change: a table has hundreds of them, and most say the same for a minute. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  const then = millis(at);
  const text = useSyncExternalStore(tick, () => (then === undefined ? 'never' : told(then, second * 1000)));
  if (then === undefined) return <span className="faint">never</span>;
  const exact = new Date(then).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {text}
    </time>
  );
}

/** When what is shown was true. It goes on counting on a frozen page; what changes by itself is true as long as its line stands. */
export function AsOf({ at, live }: { at: number; live?: boolean }) {
  const [standing, paused] = [useConnection(), usePaused()];
  const now = useSyncExternalStore(tick, () => Math.floor(serverNow() / 1000)) * 1000;
  const then = live && standing === 'live' && !paused ? Math.max(at, answeredAt()) : at;
  const exact = new Date(then).toISOString();
  return (
    <span>
      as of <time dateTime={exact} title={exact}>{told(then, Math.max(now, then))}</time>
    </span>
  );
}

export const clockTime = (at: string | number | null | undefined): string => {
  const then = millis(at);
  return then === undefined ? '' : new Date(then).toISOString().slice(11, 19);
};
