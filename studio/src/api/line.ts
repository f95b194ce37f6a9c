// One connection of server-sent events: taken up again by its cursor when it is cut, and given up while nobody looks, because
// a browser has few of them for all its tabs.

/** `storeless`: the server answers and its store does not, so that what was said before is not what is. */
export type Standing = 'connecting' | 'live' | 'lost' | 'storeless' | 'away';
export type Hear = (event: string, data: unknown, id: string) => void;
/** `age` says for how long what was said before is not known to be true, in milliseconds. */
export type Tell = (standing: Standing, age?: number) => void;

const AGAIN_MS = 1_500;
const HIDDEN_MS = 15_000;

export function openLine(url: string, events: readonly string[], hear: Hear, tell: Tell): () => void {
  let source: EventSource | undefined;
  let cursor = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  const open = () => {
    clearTimeout(timer);
    if (ended || source) return;
    const since = cursor ? `${url.includes('?') ? '&' : '?'}since=${encodeURIComponent(cursor)}` : '';
    source = new EventSource(url + since);
    source.onopen = () => tell('live');
    source.onerror = () => {
      tell('lost');
      if (source?.readyState !== EventSource.CLOSED) return;
      shut();
      timer = setTimeout(open, AGAIN_MS);
    };
    source.addEventListener('away', (event: MessageEvent<string>) => tell('storeless', (parse(event.data) as { age_ms?: number }).age_ms ?? 0));
    source.addEventListener('back', () => tell('live'));
    for (const name of events) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        cursor = event.lastEventId || cursor;
        hear(name, parse(event.data), event.lastEventId);
      });
    }
  };
  const shut = () => {
    source?.close();
    source = undefined;
  };
  const look = () => {
    clearTimeout(hidden);
    if (document.visibilityState === 'visible') {
      open();
    } else {
      hidden = setTimeout(() => {
        shut();
        tell('away');
      }, HIDDEN_MS);
    }
  };
  // The browser knows of a cut cable before the connection does.
  const back = () => {
    shut();
    open();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', back);
  tell('connecting');
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    clearTimeout(hidden);
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('online', back);
    shut();
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
