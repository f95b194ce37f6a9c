// How the page stands with the server: live, taking up again, or frozen by its reader.
import { CirclePause, CirclePlay, DatabaseZap, Radio, RefreshCw, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useConnection } from '@/api/live';
import { setPaused, usePaused } from '@/api/pause';

/** How long a cut lasts before it is told in a sentence. */
const SETTLE_MS = 1_500;
const WORDS = { live: 'Live', connecting: 'Connecting', lost: 'Reconnecting', storeless: 'Store away', away: 'Asleep' } as const;

export function Connection() {
  const standing = useConnection();
  const paused = usePaused();
  const tone = paused ? 'warn' : standing === 'live' ? 'ok' : standing === 'lost' || standing === 'storeless' ? 'bad' : 'idle';
  const Icon = standing === 'live' ? Radio : standing === 'storeless' ? DatabaseZap : RefreshCw;
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

const SAID = {
  lost: 'The server does not answer. What you see is as it was; the page goes on by itself as soon as it does.',
  storeless: <>The store does not answer. What you see is as it was, and nothing can be changed; the page goes on by itself as soon as it does. <code>quorate doctor</code> says more.</>,
};

/** Over every page, so that nobody takes what was for what is. A cut that is over in a moment is not worth a sentence. */
export function Cut() {
  const standing = useConnection();
  const cut = standing === 'lost' || standing === 'storeless' ? standing : undefined;
  const [said, setSaid] = useState<keyof typeof SAID>();
  useEffect(() => {
    const timer = setTimeout(() => setSaid(cut), cut ? SETTLE_MS : 0);
    return () => clearTimeout(timer);
  }, [cut]);
  if (!cut || said !== cut) return null;
  return (
    <p className="banner" data-tone="bad" role="alert">
      <Unplug size={14} aria-hidden />
      <span>{SAID[cut]}</span>
    </p>
  );
}
