// The command line that does the same, ready to be pasted: whatever an id contains, it stays one word.
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

export function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Flags that may stand alone, so that what follows is theirs only with a sign between. */
const EQUALS = ['canary'];

type Value = string | string[] | boolean | undefined;

function flag(name: string, value: Value): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => flag(name, one));
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  return EQUALS.includes(name) || value.startsWith('-') ? [`--${name}=${word(value)}`] : [`--${name}`, word(value)];
}

/** `line('agents drain', 'worker-1', { reason: 'x' })` is `quorate agents drain --reason x worker-1`. */
export function line(verb: string, names: string | string[] = [], flags: Record<string, Value> = {}): string {
  const list = typeof names === 'string' ? [names] : names;
  // A name may begin with a dash, and is no flag for that.
  const end = list.some((name) => name.startsWith('-')) ? ['--'] : [];
  return ['quorate', verb, ...Object.entries(flags).flatMap(([name, value]) => flag(name, value)), ...end, ...list.map(word)].join(' ');
}
