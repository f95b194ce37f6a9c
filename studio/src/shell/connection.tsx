// How the page stands with the server: live, taking up again, or frozen by its reader.
import { CirclePause, CirclePlay, Radio, RefreshCw } from 'lucide-react';
import { useConnection } from '@/api/live';
import { setPaused, usePaused } from '@/api/pause';

const WORDS = { live: 'Live', connecting: 'Connecting', lost: 'Reconnecting', away: 'Asleep' } as const;

export function Connection() {
  const standing = useConnection();
  const paused = usePaused();
  const tone = paused ? 'warn' : standing === 'live' ? 'ok' : standing === 'lost' ? 'bad' : 'idle';
  const Icon = standing === 'live' ? Radio : RefreshCw;
  return (
    <>
      <span className="badge" data-tone={tone} role="status" data-testid="connection">
        {paused ? <CirclePause size={12} aria-hidden /> : <Icon size={12} aria-hidden />}
        {paused ? 'Paused' : WORDS[standing]}
      </span>
      <button type="button" className="button" data-kind="plain" aria-pressed={paused} aria-label={paused ? 'Go on' : 'Freeze the page'} title="p" onClick={() => setPaused(!paused)}>
        {paused ? <CirclePlay size={16} /> : <CirclePause size={16} />}
      </button>
    </>
  );
}
