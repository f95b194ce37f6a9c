// What changes, line by line: the longest common lines stay, the others go or come.
const MOST = 400;

type Line = [' ' | '-' | '+', string];

export function Diff({ before, after }: { before: string; after: string }) {
  return (
    <pre className="payload" aria-label="What changes" tabIndex={0}>
      {compare(before.split('\n').slice(0, MOST), after.split('\n').slice(0, MOST)).map(([sign, text], at) => (
        <div key={at} className={sign === '-' ? 'diff-gone' : sign === '+' ? 'diff-new' : undefined}>
          {sign} {text}
        </div>
      ))}
    </pre>
  );
}

export function compare(a: string[], b: string[]): Line[] {
  const longest = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      (longest[i] as number[])[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([' ', a[i++] ?? '']);
      j++;
    } else if (j < b.length && (i >= a.length || at(i, j + 1) > at(i + 1, j))) lines.push(['+', b[j++] ?? '']);
    else lines.push(['-', a[i++] ?? '']);
  }
  return lines;
}
