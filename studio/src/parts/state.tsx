// A state: a word, a shape and a colour, so that none of them is needed alone.
import { SHAPES } from './shapes';

export type Tone = 'ok' | 'warn' | 'bad' | 'idle' | 'accent';

const TONES: Record<string, Tone> = {
  online: 'ok', away: 'idle', stale: 'warn', dead: 'bad', revoked: 'bad', draining: 'warn',
  open: 'bad', replayed: 'accent', resolved: 'ok', investigated: 'warn',
  completed: 'ok', succeeded: 'ok', done: 'ok', finished: 'ok', ok: 'ok', active: 'ok', normal: 'ok', scheduled: 'ok', acted: 'ok', acknowledged: 'ok',
  failed: 'bad', error: 'bad', critical: 'bad', dead_letter: 'bad', timed_out: 'bad', lapsed: 'bad', lost: 'bad',
  running: 'accent', processing: 'accent', started: 'accent', working: 'accent', exclusive: 'accent', read: 'accent', delivered: 'accent',
  healthy: 'ok', reachable: 'ok', fresh: 'ok', degraded: 'warn', unavailable: 'warn', unreachable: 'bad', unhealthy: 'bad',
  waiting: 'warn', warning: 'warn', warn: 'warn', retrying: 'warn', paused: 'warn', parked: 'warn', missed: 'warn', skipped: 'warn',
  cancelled: 'idle', queued: 'idle', shared: 'idle', stored: 'idle', taken: 'idle', unknown: 'idle', info: 'idle', debug: 'idle',
};

export const toneOf = (word: string | null | undefined): Tone => TONES[(word ?? '').toLowerCase()] ?? 'idle';

export function State({ word, tone }: { word: string; tone?: Tone }) {
  const own = tone ?? toneOf(word);
  return (
    <span className="badge" data-tone={own}>
      {SHAPES[own]}
      <bdi>{word.length > 32 ? `${word.slice(0, 31)}…` : word}</bdi>
    </span>
  );
}
