// Live views and tails, one connection each however many parts of the page look at them.
import { useSyncExternalStore } from 'react';
import { serverNow } from './clock';
import { type Standing, openLine } from './line';
import { isPaused, onPause } from './pause';
import type { paths } from './schema';

export type Agent = paths['/api/v1/agents/{agent}']['get']['responses'][200]['content']['application/json'];
export type Held = paths['/api/v1/locks']['get']['responses'][200]['content']['application/json'][number];
export type Queue = paths['/api/v1/queues']['get']['responses'][200]['content']['application/json'][number];

interface Views {
  agents: Agent;
  locks: Held;
  queues: Queue;
}

/** The name that the server gives a thing when it is gone. */
const NAME: { [K in keyof Views]: (thing: Views[K]) => string } = {
  agents: (agent) => agent.agent,
  locks: (held) => `${held.agent} ${held.lock} ${held.mode}`,
  queues: (queue) => queue.queue,
};

export interface Seen<T> {
  items: T[] | undefined;
  /** When the server last said something, by its clock. */
  at: number | undefined;
  standing: Standing;
}

const lines = new Map<string, Standing>();
const watchers = new Set<() => void>();

function stand(url: string, standing: Standing | undefined): void {
  if (standing === undefined) lines.delete(url);
  else lines.set(url, standing);
  watchers.forEach((watcher) => watcher());
}

const worst = (): Standing => {
  const all = [...lines.values()];
  const order: Standing[] = ['lost', 'connecting', 'away'];
  return order.find((one) => all.includes(one)) ?? 'live';
};

/** How the connections of this page stand: the worst of them. */
export const useConnection = () =>
  useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, worst);

/** A source that opens for its first reader and closes after its last. */
class Shared<T> {
  private seen: Seen<T> = { items: undefined, at: undefined, standing: 'connecting' };
  private shown = this.seen;
  private readers = new Set<() => void>();
  private close: (() => void) | undefined;

  constructor(
    private url: string,
    private events: readonly string[],
    private fold: (items: T[], event: string, data: unknown) => T[],
  ) {}

  subscribe = (reader: () => void) => {
    this.readers.add(reader);
    this.close ??= this.open();
    return () => {
      this.readers.delete(reader);
      setTimeout(() => this.rest(), 2_000);
    };
  };

  get = () => this.shown;

  private open() {
    const hear = (event: string, data: unknown) => {
      this.set({ items: this.fold(this.seen.items ?? [], event, data), at: serverNow() });
    };
    const tell = (standing: Standing) => {
      stand(this.url, standing);
      this.set({ standing });
    };
    const line = openLine(this.url, this.events, hear, tell);
    const pause = onPause(() => this.show());
    return () => {
      line();
      pause();
      stand(this.url, undefined);
    };
  }

  private set(part: Partial<Seen<T>>) {
    this.seen = { ...this.seen, ...part };
    this.show();
  }

  private show() {
    if (isPaused() && this.shown.items) return;
    this.shown = this.seen;
    this.readers.forEach((reader) => reader());
  }

  private rest() {
    if (this.readers.size > 0) return;
    this.close?.();
    this.close = undefined;
  }
}

const shared = new Map<string, Shared<unknown>>();

function source<T>(url: string, make: () => Shared<T>): Shared<T> {
  let one = shared.get(url);
  if (!one) shared.set(url, (one = make() as Shared<unknown>));
  return one as Shared<T>;
}

/** What has no stream: the whole once, then what changed. */
export function useView<K extends keyof Views>(name: K): Seen<Views[K]> {
  const fold = (items: Views[K][], event: string, data: unknown) => {
    const said = data as { items?: Views[K][]; set?: Views[K][]; gone?: string[] };
    if (event === 'snapshot') return said.items ?? [];
    const all = new Map(items.map((item) => [NAME[name](item), item]));
    for (const gone of said.gone ?? []) all.delete(gone);
    for (const item of said.set ?? []) all.set(NAME[name](item), item);
    return [...all.values()];
  };
  const url = `/api/v1/live/${name}`;
  const own = source(url, () => new Shared<Views[K]>(url, ['snapshot', 'change'], fold));
  return useSyncExternalStore(own.subscribe, own.get);
}

export interface Entry {
  kind: 'entry' | 'gap';
  data: Record<string, unknown>;
}

const MOST = 2_000;

/** The end of a stream of events or logs, the newest last; a gap is an entry too. */
export function useTail(url: string): Seen<Entry> {
  const fold = (items: Entry[], event: string, data: unknown) => {
    if (event === 'ready') return items;
    const entry: Entry = { kind: event === 'gap' ? 'gap' : 'entry', data: (data ?? {}) as Record<string, unknown> };
    return [...items.slice(1 - MOST), entry];
  };
  const own = source(url, () => new Shared<Entry>(url, ['ready', 'entry', 'gap'], fold));
  return useSyncExternalStore(own.subscribe, own.get);
}
