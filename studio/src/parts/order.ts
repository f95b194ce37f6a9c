// The order of a table's rows. Digits count as numbers, and a row without a value comes last whichever way it goes.
import type { SortingState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';

type Value = string | number | undefined;
const MOST = 100_000;

/** Texts as they are compared, remembered: a live table is sorted again with every change, and few of its texts change. */
class Keys {
  private known = new Map<string, string>();

  of(text: string): string {
    let key = this.known.get(text);
    if (key === undefined) {
      key = text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, '0'));
      if (this.known.size >= MOST) this.known.clear();
      this.known.set(text, key);
    }
    return key;
  }
}

export function useOrder<R>(rows: R[], columns: { id: string; by?: (row: R) => Value }[], [first]: SortingState): R[] {
  const [keys] = useState(() => new Keys());
  const by = first && columns.find((column) => column.id === first.id)?.by;
  const down = !!first?.desc;
  return useMemo(() => (by ? sorted(rows, by, down, keys) : rows), [rows, by, down, keys]);
}

function sorted<R>(rows: R[], by: (row: R) => Value, down: boolean, keys: Keys): R[] {
  const pairs = rows.map((row): [Value, R] => {
    const value = by(row);
    return [typeof value === 'string' ? keys.of(value) : value, row];
  });
  return pairs.sort((a, b) => compare(a[0], b[0], down)).map(([, row]) => row);
}

function compare(a: Value, b: Value, down: boolean): number {
  if (a === b) return 0;
  if (a === undefined || a === '') return 1;
  if (b === undefined || b === '') return -1;
  return (a < b ? -1 : 1) * (down ? -1 : 1);
}
