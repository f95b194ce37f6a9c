// The wait-for graph: an arrow from who waits to who is in the way; a ring is red, and whoever would give way is marked.
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { type Edge, Graph, type Node } from '@/parts/graph';

export type Wait = paths['/api/v1/locks/waits']['get']['responses'][200]['content']['application/json'][number];

/** Locks of rings that are looked at. */
const MOST = 12;

/** A ring is told as `AGENT waits for LOCK`, edge by edge. */
const inRings = (rings: string[][]) => new Set(rings.flat().map((edge) => edge.split(' waits for ')[0] ?? ''));

/** Who gives way in each ring: the lowest priority, then whoever came last. */
export function useVictims(rings: string[][]): Set<string> {
  const edges = rings.map((ring) => ring.map((edge) => edge.split(' waits for ')));
  const locks = [...new Set(edges.flat().map(([, lock]) => lock ?? ''))].slice(0, MOST);
  const shown = useQueries({ queries: locks.map((lock) => api.queryOptions('get', '/api/v1/locks/{lock}', { params: { path: { lock } } })), combine: (all) => all.flatMap((one) => one.data ?? []) });
  const victims = edges.map((ring) => {
    const waits = ring.flatMap(([agent, lock]) => shown.find((one) => one.lock === lock)?.waiters.filter((waiter) => waiter.agent === agent) ?? []);
    return waits.length < ring.length ? undefined : waits.reduce((a, b) => (b.priority < a.priority || (b.priority === a.priority && b.since > a.since) ? b : a)).agent;
  });
  return new Set(victims.filter((agent) => agent !== undefined));
}

export function WaitGraph({ waits, rings, victims }: { waits: Wait[]; rings: string[][]; victims: Set<string> }) {
  const navigate = useNavigate();
  const stuck = inRings(rings);
  const told = new Set(rings.flat());
  const nodes = new Map<string, Node>();
  const put = (agent: string, sub: string) => {
    const before = nodes.get(agent);
    nodes.set(agent, { id: agent, label: agent, sub: before?.sub?.startsWith('waits') ? before.sub : sub, tone: stuck.has(agent) ? 'bad' : undefined });
  };
  const edges: Edge[] = [];
  for (const wait of waits) {
    put(wait.agent, !stuck.has(wait.agent) ? 'waits' : victims.has(wait.agent) ? 'waits, would give way' : 'waits, in a ring');
    for (const other of wait.behind) {
      put(other, 'in the way');
      const ring = told.has(`${wait.agent} waits for ${wait.lock}`) && stuck.has(other);
      edges.push({ from: wait.agent, to: other, label: wait.lock.length > 24 ? `${wait.lock.slice(0, 23)}…` : wait.lock, tone: ring ? 'bad' : undefined });
    }
  }
  return <Graph label="Who waits for whom" nodes={[...nodes.values()]} edges={edges} pick={(agent) => void navigate({ to: '/agents', search: { id: agent } as never })} down />;
}
