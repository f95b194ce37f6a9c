// The command line that does the same, ready to be pasted: whatever an id contains, it stays one word.
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

export function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `line('agents drain', 'worker-1', { reason: 'x' })` is `quorate agents drain worker-1 --reason x`. */
export function line(verb: string, names: string | string[] = [], flags: Record<string, string | boolean | undefined> = {}): string {
  const list = typeof names === 'string' ? [names] : names;
  const said = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : value === true ? [`--${name}`] : [`--${name}`, word(value)],
  );
  return ['quorate', verb, ...said, ...list.map(word)].join(' ');
}
