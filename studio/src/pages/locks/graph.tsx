// The wait-for graph: an arrow from who waits to who is in the way; a ring is red, and whoever would give way is marked.
import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { type Edge, Graph, type Node } from '@/parts/graph';
import { short } from '@/parts/id';

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

/** What an agent says in its box: an arrow has little room for the name of a lock, and several to one holder none. */
function waitsFor(locks: string[], stuck: boolean, victim: boolean): string {
  const more = locks.length > 1 ? `, and ${locks.length - 1} more` : '';
  return `${victim ? 'would give way; ' : stuck ? 'in a ring; ' : ''}waits for ${short(locks[0] ?? '', 34)}${more}`;
}

export function WaitGraph({ waits, rings, victims }: { waits: Wait[]; rings: string[][]; victims: Set<string> }) {
  const navigate = useNavigate();
  const stuck = inRings(rings);
  const told = new Set(rings.flat());
  const asked = new Map<string, string[]>();
  for (const { agent, lock } of waits) asked.set(agent, [...new Set([...(asked.get(agent) ?? []), lock])]);
  const agents = new Set(waits.flatMap((wait) => [wait.agent, ...wait.behind]));
  const nodes = [...agents].map((agent): Node => {
    const locks = asked.get(agent);
    return { id: agent, label: agent, sub: locks ? waitsFor(locks, stuck.has(agent), victims.has(agent)) : 'in the way', tone: stuck.has(agent) ? 'bad' : undefined };
  });
  const edges = waits.flatMap((wait) => wait.behind.map((other): Edge => ({ from: wait.agent, to: other, said: `waits for ${wait.lock}, behind`, tone: told.has(`${wait.agent} waits for ${wait.lock}`) && stuck.has(other) ? 'bad' : undefined })));
  return <Graph label="Who waits for whom" nodes={nodes} edges={edges} pick={(agent) => void navigate({ to: '/agents', search: { id: agent } as never })} down />;
}
