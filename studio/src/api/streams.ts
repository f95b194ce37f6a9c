// Several streams of events in one line of time: what there is, asked for once, and what comes, over one connection.
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './client';
import { useTail } from './live';

export interface Told {
  /** Of its stream. */
  id: string;
  stream: string;
  at: string;
  fields: Record<string, unknown>;
}

/** Said where entries are missing. */
export interface Gap {
  gap: string;
}

export function useStreams(streams: readonly string[], most: number) {
  const before = useQueries({
    queries: streams.map((stream) => ({
      ...api.queryOptions('get', '/api/v1/events/{stream}', { params: { path: { stream }, query: { limit: most } } }),
      // What came since the last look, before this line was laid, is in no message of it.
      refetchOnMount: 'always' as const,
      // What comes while the line is being laid is found by the next look.
      refetchInterval: 20_000,
    })),
    combine: (answers) => ({ entries: answers.map((answer) => answer.data ?? []), error: answers.find((answer) => answer.error)?.error, pending: answers.some((answer) => answer.isPending) }),
  });
  const tail = useTail('events', `?${streams.map((stream) => `stream=${encodeURIComponent(stream)}`).join('&')}`);
  const entries = useMemo(() => {
    const all = new Map<string, Told>();
    before.entries.forEach((some, at) => some.forEach((entry) => all.set(`${streams[at]} ${entry.id}`, { id: entry.id, stream: streams[at] ?? '', at: entry.at, fields: entry.fields })));
    for (const { kind, data } of tail.items ?? []) {
      if (kind === 'entry') all.set(`${String(data.stream)} ${String(data.id)}`, { id: String(data.id), stream: String(data.stream), at: String(data.at), fields: (data.fields ?? {}) as Record<string, unknown> });
    }
    return [...all.values()].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, most);
  }, [before.entries, tail.items, streams, most]);
  const gaps = useMemo(() => (tail.items ?? []).filter((entry) => entry.kind === 'gap').map((entry): Gap => ({ gap: String(entry.data.reason ?? 'no longer kept') })), [tail.items]);
  return { entries, gaps, error: before.error, pending: before.pending, at: tail.at };
}
