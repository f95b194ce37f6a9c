// An event as a line of text: its kind first, then what it says.
const KIND = ['event', 'event_type', 'type', 'kind', 'action', 'outcome'];
const HIDDEN = new Set([...KIND, 'id', 'event_id', 'ts', 'timestamp', 'at', 'v', 'schema', 'traceparent', 'tracestate', 'fence', 'token', 'epoch', 'request', 'source']);
const LONGEST = 240;

export function kindOf(fields: Record<string, unknown>): string {
  const name = KIND.find((own) => typeof fields[own] === 'string' && fields[own] !== '');
  return name ? String(fields[name]) : 'event';
}

/** What became of a lock, as one would say it. */
const LOCKS: Record<string, (lock: string, agent: string) => string> = {
  'lock:acquired': (lock, agent) => `${agent} took ${lock}`,
  'lock:queued': (lock, agent) => `${agent} waits for ${lock}`,
  'lock:promoted': (lock, agent) => `${lock} passed on to ${agent}`,
  'lock:released': (lock, agent) => `${agent} let go of ${lock}`,
  'lock:expired': (lock, agent) => `${agent} lost ${lock}: its time was over`,
  'lock:deadlock': (lock, agent) => `${agent} gave way in a ring, and no longer waits for ${lock}`,
};

/** In a line that says nothing else. */
export function tell(fields: Record<string, unknown>): string {
  return inWords(fields) ?? `${kindOf(fields)}  ${said(fields)}`.slice(0, LONGEST);
}

/** Beside its kind. */
export function said(fields: Record<string, unknown>): string {
  const lock = inWords(fields);
  if (lock) return lock;
  // What has words for people is told by them; the rest is in the drawer.
  const all = unfold(fields);
  const words = [all.msg, all.message].find((own) => typeof own === 'string' && own !== '');
  if (typeof words === 'string') return words.slice(0, LONGEST);
  const text = Object.entries(all)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== '' && value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function inWords(fields: Record<string, unknown>): string | undefined {
  const { lock, agent_id: agent } = unfold(fields);
  return typeof lock === 'string' && typeof agent === 'string' ? LOCKS[kindOf(fields)]?.(lock, agent).slice(0, LONGEST) : undefined;
}

/** A payload that is an object speaks for itself. */
function unfold(fields: Record<string, unknown>): Record<string, unknown> {
  const { payload, data, ...rest } = fields;
  return { ...rest, ...opened(payload, 'payload'), ...opened(data, 'data') };
}

function opened(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined) return {};
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : { [name]: value };
  } catch {
    return { [name]: value };
  }
}
