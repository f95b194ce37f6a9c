// Addresses as the plane gives them, `/agents/worker-1`, and where they are in the app: a page with its drawer open.
import { pages } from '@/pages/all';

export interface Place {
  to: string;
  search: Record<string, string>;
}

const ELSEWHERE: Record<string, Place> = { '/tokens': { to: '/settings', search: {} } };

export function placeOf(path: string): Place | undefined {
  const [, page, kind, id] = /^(\/[^/]+)(?:\/(runs|threads)(?=\/))?\/(.+)$/.exec(path) ?? [];
  if (!page || !id) return undefined;
  if (ELSEWHERE[page]) return ELSEWHERE[page];
  if (!pages.some((one) => one.path === page)) return undefined;
  const name = kind === 'runs' ? 'run' : kind === 'threads' ? 'thread' : page === '/messages' ? 'message' : 'id';
  return { to: page, search: { [name]: decodeURIComponent(id) } };
}
