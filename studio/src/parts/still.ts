// What keeps a list calm: the order of its rows while the pointer is over them, and which of them are new.
import { useMemo, useState } from 'react';

/** Keeps the order of the rows while the pointer is over them; what is new comes at the end. */
export function useStill<R>(rows: R[], name: (row: R) => string): { held: R[]; hold: (value: boolean) => void } {
  const [order, setOrder] = useState<Map<string, number>>();
  const hold = (value: boolean) => setOrder(value ? new Map(rows.map((row, index) => [name(row), index])) : undefined);
  const held = useMemo(() => {
    if (!order) return rows;
    const place = (row: R) => order.get(name(row)) ?? Number.MAX_SAFE_INTEGER;
    return rows.map((row): [number, R] => [place(row), row]).sort((a, b) => a[0] - b[0]).map(([, row]) => row);
    // A name says the same of a row whichever function says it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, order]);
  return { held, hold };
}

interface Before {
  rows: unknown[];
  names: Set<string>;
  fresh: Set<string>;
}

/** The names that came with the last change. What is only scrolled to is not new, and neither is the first look. */
export function useNew<R>(rows: R[], name: (row: R) => string): Set<string> {
  const [before, setBefore] = useState<Before>();
  if (before?.rows === rows) return before.fresh;
  const names = new Set(rows.map(name));
  const fresh = new Set(before ? [...names].filter((one) => !before.names.has(one)) : []);
  setBefore({ rows, names, fresh });
  return fresh;
}
