// The wait-for graph: an arrow from who waits to who is in the way; a ring is red, and whoever would give way is marked.
import { useNavigate } from '@tanstack/react-router';
import type { paths } from '@/api/schema';
import { type Edge, Graph, type Node } from '@/parts/graph';

export type Wait = paths['/api/v1/locks/waits']['get']['responses'][200]['content']['application/json'][number];

/** A ring is told as `AGENT waits for LOCK`, edge by edge. */
const inRings = (rings: string[][]) => new Set(rings.flat().map((edge) => edge.split(' waits for ')[0] ?? ''));

export function WaitGraph({ waits, rings }: { waits: Wait[]; rings: string[][] }) {
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
    put(wait.agent, stuck.has(wait.agent) ? 'waits, in a ring' : 'waits');
    for (const other of wait.behind) {
      put(other, 'in the way');
      const ring = told.has(`${wait.agent} waits for ${wait.lock}`) && stuck.has(other);
      edges.push({ from: wait.agent, to: other, label: wait.lock.length > 24 ? `${wait.lock.slice(0, 23)}…` : wait.lock, tone: ring ? 'bad' : undefined });
    }
  }
  return <Graph label="Who waits for whom" nodes={[...nodes.values()]} edges={edges} pick={(agent) => void navigate({ to: '/agents', search: { id: agent } as never })} down />;
}
