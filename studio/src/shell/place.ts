// Addresses as the plane gives them, `/agents/worker-1`, and where they are in the app: a page with its drawer open.
import { pages } from '@/pages/all';

export interface Place {
  to: string;
  search: Record<string, string>;
}

const ELSEWHERE: Record<string, Place> = { '/tokens': { to: '/settings', search: {} } };

/** What is no thing of its page, but one of another kind. */
const KINDS: Record<string, string> = { runs: 'run', threads: 'thread', clusters: 'cluster', logs: 'service' };

export function placeOf(path: string): Place | undefined {
  const [, page, kind, id] = /^(\/[^/]+)(?:\/(runs|threads|clusters|logs)(?=\/))?\/(.+)$/.exec(path) ?? [];
  if (!page || !id) return undefined;
  if (page === '/audit') return { to: '/settings', search: { tab: 'trail', record: decodeURIComponent(id) } };
  if (ELSEWHERE[page]) return ELSEWHERE[page];
  if (!pages.some((one) => one.path === page)) return undefined;
  const name = (kind && KINDS[kind]) ?? (page === '/messages' ? 'message' : 'id');
  return { to: page, search: { [name]: decodeURIComponent(id) } };
}
