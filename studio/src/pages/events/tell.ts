// An event as a line of text: its kind first, then what it says.
const KIND = ['event', 'event_type', 'type', 'kind', 'action', 'outcome'];
const HIDDEN = new Set([...KIND, 'id', 'event_id', 'ts', 'timestamp', 'at', 'v', 'schema', 'traceparent', 'tracestate', 'fence', 'token', 'epoch', 'request', 'source']);
const LONGEST = 240;

export function kindOf(fields: Record<string, unknown>): string {
  const name = KIND.find((own) => typeof fields[own] === 'string' && fields[own] !== '');
  return name ? String(fields[name]) : 'event';
}

export function tell(fields: Record<string, unknown>): string {
  // What has words for people is told by them; the rest is in the drawer.
  if (typeof fields.msg === 'string' && fields.msg !== '') return `${kindOf(fields)}  ${fields.msg.slice(0, LONGEST)}`;
  const said = Object.entries(unfold(fields))
    .filter(([name, value]) => !HIDDEN.has(name) && value !== '' && value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const text = `${kindOf(fields)}  ${said.join(' · ')}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
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
