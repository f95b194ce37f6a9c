// What needs a person now: each with its reason, its place and how bad it is. The rail counts them, the Overview says them.
import { api, every } from '@/api/client';
import { useView } from '@/api/live';
import { count } from '@/parts/page';

export interface Need {
  page: string;
  search?: Record<string, string>;
  count: number;
  tone: 'bad' | 'warn';
  says: string;
  todo: string;
}

const SLOW = { refetchInterval: every(5_000) };

export function useNeeds(): Need[] {
  const agents = useView('agents').items ?? [];
  const rings = api.useQuery('get', '/api/v1/locks/deadlocks', {}, SLOW).data?.deadlocks ?? [];
  const clusters = api.useQuery('get', '/api/v1/dead/clusters', {}, SLOW).data ?? [];
  const signals = api.useQuery('get', '/api/v1/tasks/-/backpressure', {}, SLOW).data?.signals ?? [];
  const losses = api.useQuery('get', '/api/v1/events/losses', {}, SLOW).data ?? [];
  const letters = clusters.reduce((sum, cluster) => sum + cluster.count, 0);
  const quiet = agents.filter((agent) => agent.label === 'stale' || agent.label === 'dead');
  const full = signals.filter((signal) => signal.scope === 'queue' && (signal.severity === 'warning' || signal.severity === 'critical'));
  const lapsed = signals.find((signal) => signal.kind === 'lease_expiry_rate_high' && (signal.value ?? 0) > 0);
  const lost = losses.reduce((sum, loss) => sum + loss.unread + loss.pending, 0);
  const all: (Need | false)[] = [
    rings.length > 0 && { page: '/locks', count: rings.length, tone: 'bad', says: `${count(rings.length, 'ring')} of agents wait for each other`, todo: 'Break it: one wait gives way, nothing held is taken' },
    letters > 0 && { page: '/dead', count: letters, tone: 'bad', says: `${count(letters, 'dead letter')} in ${count(clusters.length, 'failure')}`, todo: 'See what they have in common, then replay one first' },
    quiet.length > 0 && { page: '/agents', search: { state: 'quiet' }, count: quiet.length, tone: 'warn', says: `${count(quiet.length, 'agent')} went quiet`, todo: 'See what they hold; revoke what will not come back' },
    full.length > 0 && { page: '/queues', count: full.length, tone: 'warn', says: `${count(full.length, 'queue')} piled up: ${full.map((signal) => signal.scope_id).join(', ')}`, todo: 'Add workers, or pause what feeds them' },
    lapsed !== undefined && { page: '/tasks', count: lapsed.value ?? 0, tone: 'warn', says: lapsed.reason ?? 'Leases of tasks have lapsed', todo: 'Their recovery comes by itself; see whose workers died' },
    lost > 0 && { page: '/events', search: { tab: 'losses' }, count: lost, tone: 'warn', says: `${count(lost, 'entry', 'entries')} were destroyed before a group had read them`, todo: 'See which group and since when' },
  ];
  return all.filter((need): need is Need => need !== false);
}
