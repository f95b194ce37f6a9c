// Who looks, and what they may do. The server decides; this only keeps controls from promising what it would refuse.
import { useSyncExternalStore } from 'react';
import { answer, api, client, queries } from './client';
import { asProblem } from './problem';

export type Level = 'read' | 'work' | 'operate' | 'review' | 'admin';

const LEVELS: Record<string, Level[]> = {
  viewer: ['read'],
  agent: ['read', 'work'],
  operator: ['read', 'work', 'operate'],
  reviewer: ['read', 'review'],
  admin: ['read', 'work', 'operate', 'review', 'admin'],
};
/** How soon a server that does not answer is asked again. */
const AGAIN_MS = 3_000;
const KEPT = 'quorate.read-only';
/** Why nothing can be changed in read-only mode. */
export const READ_ONLY = 'Read-only mode is on.';
const changed = new Set<() => void>();

export const useMe = () => api.useQuery('get', '/api/v1/me', {}, { refetchInterval: (query) => (query.state.error && asProblem(query.state.error).status !== 401 ? AGAIN_MS : 60_000), retry: false });

const isReadOnly = () => localStorage.getItem(KEPT) === 'yes';

export const useReadOnly = () =>
  useSyncExternalStore((listener) => {
    changed.add(listener);
    return () => changed.delete(listener);
  }, isReadOnly);

export function setReadOnly(value: boolean): void {
  localStorage.setItem(KEPT, value ? 'yes' : 'no');
  changed.forEach((listener) => listener());
}

/** Why somebody may not act, or nothing. */
export function useHindrance(): (noun: string, level: Level) => string | undefined {
  const me = useMe().data;
  const readOnly = useReadOnly();
  return (noun, level) => {
    if (level !== 'read' && readOnly) return READ_ONLY;
    if (!me) return 'Nobody is signed in.';
    const allowed = LEVELS[me.role]?.includes(level) ?? false;
    const scopes = me.scopes ?? [];
    const covered = scopes.length === 0 || scopes.some((scope) => covers(scope, noun, level));
    return allowed && covered ? undefined : `This needs ${noun}:${level}; ${me.name} is ${me.role}.`;
  };
}

function covers(scope: string, noun: string, level: Level): boolean {
  const [of, to] = scope.split(':');
  return (of === '*' || of === noun) && (to === '*' || to === level);
}

/** A one-time code, or a token. */
export async function signIn(secret: string): Promise<void> {
  const said = secret.trim();
  const token = said.startsWith('qt_');
  const headers = token ? { Authorization: `Bearer ${said}` } : undefined;
  await answer(client.POST('/api/v1/sign-in', { headers, body: token ? {} : { code: said } }));
  await queries.invalidateQueries();
}

export async function signOut(): Promise<void> {
  await answer(client.POST('/api/v1/sign-out', {}));
  await queries.resetQueries({ queryKey: ['get', '/api/v1/me'] });
  queries.removeQueries({ predicate: (query) => query.queryKey[1] !== '/api/v1/me' });
}
