// What needs a person now, as the plane says it: each with its reason, its place and what to do.
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { pages } from '@/pages/all';

type Overview = paths['/api/v1/overview']['get']['responses'][200]['content']['application/json'];

export interface Need {
  code: string;
  page: string;
  search: Record<string, string>;
  tone: 'bad' | 'warn';
  says: string;
  todo: string;
  cli: string;
}

export const useOverview = () => api.useQuery('get', '/api/v1/overview', {}, { refetchInterval: 3_000 });

export function useNeeds(): Need[] {
  return needsOf(useOverview().data);
}

export function needsOf(overview: Overview | undefined): Need[] {
  return (overview?.needs ?? []).map((need) => ({
    code: need.code,
    page: pages.some((page) => page.path === `/${need.noun}`) ? `/${need.noun}` : '/',
    search: searchOf(need.noun, need.id ?? undefined, need.code),
    tone: need.urgency === 'now' ? 'bad' : 'warn',
    says: need.what,
    todo: need.next,
    cli: need.command,
  }));
}

function searchOf(noun: string, id: string | undefined, code: string): Record<string, string> {
  if (noun === 'events') return { tab: 'losses' };
  if (noun === 'agents' && !id) return { state: 'quiet' };
  if (!id || code === 'unknown') return {};
  return { [noun === 'dead' ? 'cluster' : noun === 'messages' ? 'agent' : 'id']: id };
}
