// What keeps a list calm: the places of its rows while the pointer is over them, and which of them are new.
import { useEffect, useMemo, useState } from 'react';

interface Still<R> {
  held: R[];
  /** Names of rows that went while the pointer was over the list; they keep their places until it leaves. */
  gone: Set<string>;
  hold: (value: boolean) => void;
}

const NONE = new Set<string>();
const holders = new Set<() => void>();

/** What somebody has done themselves may be seen to happen, wherever the pointer is. */
export const letGo = () => holders.forEach((holder) => holder());

/** Keeps every row where it is while the pointer is over the list: what is gone stays as it was, what is new comes at the end. */
export function useStill<R>(rows: R[], name: (row: R) => string): Still<R> {
  const [kept, setKept] = useState<Map<string, R>>();
  const hold = (value: boolean) => setKept((before) => (value ? (before ?? byName(rows, name)) : undefined));
  useEffect(() => {
    const release = () => setKept(undefined);
    holders.add(release);
    return () => void holders.delete(release);
  }, []);
  const { held, gone } = useMemo(() => {
    if (!kept) return { held: rows, gone: NONE };
    const now = byName(rows, name);
    const stayed = [...kept].map(([one, row]) => now.get(one) ?? row);
    return { held: [...stayed, ...rows.filter((row) => !kept.has(name(row)))], gone: new Set([...kept.keys()].filter((one) => !now.has(one))) };
    // A name says the same of a row whichever function says it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, kept]);
  return { held, gone, hold };
}

const byName = <R>(rows: R[], name: (row: R) => string) => new Map(rows.map((row) => [name(row), row]));

interface Before {
  rows: unknown[];
  names: Set<string>;
  fresh: Set<string>;
}

/** The names that came with the last change. What is only scrolled to is not new, and neither is the first look. */
export function useNew<R>(rows: R[], name: (row: R) => string): Set<string> {
  const [before, setBefore] = useState<Before>();
  if (before?.rows === rows) return before.fresh;
  const came = before ? rows.map(name).filter((one) => !before.names.has(one)) : [];
  // Most changes bring no new name: then nothing is counted anew.
  const names = before && came.length === 0 ? before.names : new Set(rows.map(name));
  const fresh = came.length === 0 ? NONE : new Set(came);
  setBefore({ rows, names, fresh });
  return fresh;
}
