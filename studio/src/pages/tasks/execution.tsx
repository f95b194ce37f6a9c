// The execution graph of a task: attempts, retries, stages, children and ends.
import { api } from '@/api/client';
import { standIn } from '@/parts/blank';
import { Graph } from '@/parts/graph';
import { type Tone, toneOf } from '@/parts/state';
import { clockTime } from '@/parts/time';

export function Execution({ id, at, pick }: { id: string; at: string | undefined; pick: (node: string) => void }) {
  const query = api.useQuery('get', '/api/v1/tasks/{task_id}/graph', { params: { path: { task_id: id } } }, { refetchInterval: 4_000 });
  const graph = query.data;
  if (!graph) return standIn(query, 3);
  const own = graph.nodes.filter((node) => node.kind !== 'status_event' || node.task_id === id);
  const known = new Set(own.map((node) => node.id));
  const tone = (node: (typeof own)[number]): Tone | undefined => {
    const is = toneOf(node.state ?? node.label);
    return is === 'idle' ? undefined : is;
  };
  return (
    <>
      <div className="card">
        <Graph
          label={`What caused what in ${id}`}
          nodes={own.map((node) => ({ id: node.id, label: node.label, sub: [node.kind.replaceAll('_', ' '), node.state ?? clockTime(node.timestamp)].filter(Boolean).join(', '), tone: tone(node) }))}
          edges={graph.edges.filter((edge) => known.has(edge.source) && known.has(edge.target)).map((edge) => ({ from: edge.source, to: edge.target, label: edge.kind.replaceAll('_', ' ') }))}
          at={at}
          pick={pick}
        />
      </div>
      {graph.summary.graph_completeness !== 'full' && <p className="small faint">The graph is {graph.summary.graph_completeness}: some of what happened is no longer kept.</p>}
    </>
  );
}
