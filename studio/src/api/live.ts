// Live views and tails, one connection each however many parts of the page look at them.
import { useSyncExternalStore } from 'react';
import { serverNow } from './clock';
import { type Standing, type Tell, openLine } from './line';
import { isPaused, onPause } from './pause';
import type { paths } from './schema';
import { useHindrance } from './session';

export type Agent = paths['/api/v1/agents/{agent}']['get']['responses'][200]['content']['application/json'];
export type Held = paths['/api/v1/locks']['get']['responses'][200]['content']['application/json'][number];
export type Queue = paths['/api/v1/queues']['get']['responses'][200]['content']['application/json'][number];

export type Service = paths['/api/v1/services']['get']['responses'][200]['content']['application/json'][number];

interface Views {
  agents: Agent;
  locks: Held;
  queues: Queue;
  services: Service;
}

/** What makes two documents of a view the same thing. */
const NAME: { [K in keyof Views]: (thing: Views[K]) => string } = {
  agents: (agent) => agent.agent,
  locks: (held) => `${held.agent} ${held.lock} ${held.mode}`,
  queues: (queue) => queue.queue,
  services: (service) => service.service_id,
};

export interface Seen<T> {
  items: T[] | undefined;
  /** Whether there are more than these. */
  more?: boolean;
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
  const order: Standing[] = ['lost', 'storeless', 'connecting', 'away'];
  return order.find((one) => all.includes(one)) ?? 'live';
};

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** How the connections of this page stand: the worst of them. */
export const useConnection = () => useSyncExternalStore(watch, worst);

/** The smallest of the live views. */
const PULSE = '/api/v1/live/queues';

/** Whether the page has no connection of its own, by which it would notice a cut. */
export const useNeedsPulse = () => useSyncExternalStore(watch, () => [...lines.keys()].every((url) => url === PULSE));

const SHOW_MS = 80;

/** What came over a line so far. It is put together by the message and listed when somebody is shown it. */
interface Gathered<T> {
  take: (event: string, data: unknown) => void;
  list: () => T[];
  more?: () => boolean;
}

/** A source that opens for its first reader and closes after its last. */
class Shared<T> {
  private known = false;
  private at: number | undefined;
  private standing: Standing = 'connecting';
  private shown: Seen<T> = { items: undefined, at: undefined, standing: 'connecting' };
  private readers = new Set<() => void>();
  private close: (() => void) | undefined;
  private soon: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private url: string,
    private events: readonly string[],
    private gathered: Gathered<T>,
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
      this.gathered.take(event, data);
      this.known = true;
      this.at = serverNow();
      this.show();
    };
    const tell: Tell = (standing, age) => {
      stand(this.url, standing);
      this.standing = standing;
      // What was said is as old as the last look that the store answered.
      if (age !== undefined) this.at = serverNow() - age;
      this.show();
    };
    const line = openLine(this.url, this.events, hear, tell);
    const pause = onPause(() => this.show());
    return () => {
      line();
      pause();
      stand(this.url, undefined);
    };
  }

  /** Readers are told a few times a second, however much comes at once. */
  private show() {
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      if (isPaused() && this.shown.items) return;
      this.shown = { items: this.known ? this.gathered.list() : undefined, more: this.gathered.more?.(), at: this.at, standing: this.standing };
      this.readers.forEach((reader) => reader());
    }, SHOW_MS);
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

/** The whole once, then what changed. */
function view<T>(name: (thing: T) => string): Gathered<T> {
  const all = new Map<string, T>();
  let more = false;
  const put = (items: T[] | undefined) => items?.forEach((item) => all.set(name(item), item));
  return {
    take: (event, data) => {
      const said = data as { items?: T[]; set?: T[]; gone?: T[]; more?: boolean };
      more = said.more ?? false;
      if (event === 'snapshot') all.clear();
      said.gone?.forEach((item) => all.delete(name(item)));
      put(event === 'snapshot' ? said.items : said.set);
    },
    list: () => [...all.values()],
    more: () => more,
  };
}

const NOBODY = () => () => undefined;
const UNSEEN: Seen<never> = { items: undefined, at: undefined, standing: 'away' };

/** What a source shows; who may not read it opens no connection, which would be refused again and again. */
function useSource<T>(own: Shared<T>, noun: string): Seen<T> {
  const may = useHindrance()(noun, 'read') === undefined;
  return useSyncExternalStore(may ? own.subscribe : NOBODY, may ? own.get : () => UNSEEN);
}

/** What has no stream. */
export function useView<K extends keyof Views>(name: K): Seen<Views[K]> {
  const url = `/api/v1/live/${name}`;
  return useSource(source(url, () => new Shared<Views[K]>(url, ['snapshot', 'change'], view(NAME[name]))), name);
}

export interface Entry {
  kind: 'entry' | 'gap';
  data: Record<string, unknown>;
}

const MOST = 2_000;

/** The newest of what came, in its order; a gap is an entry too. */
function tail(): Gathered<Entry> {
  const items: Entry[] = [];
  return {
    take: (event, data) => {
      if (event === 'ready') return;
      items.push({ kind: event === 'gap' ? 'gap' : 'entry', data: (data ?? {}) as Record<string, unknown> });
      if (items.length > 2 * MOST) items.splice(0, items.length - MOST);
    },
    list: () => [...items],
  };
}

/** The end of streams of events or logs, or of what a service reports, the newest last. */
export function useTail(noun: 'events' | 'logs' | 'services', rest: string): Seen<Entry> {
  const url = `/api/v1/live/${noun}${rest}`;
  return useSource(source(url, () => new Shared<Entry>(url, ['ready', 'entry', 'event', 'gap'], tail())), noun);
}
