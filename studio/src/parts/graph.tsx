// Graphs are loaded when one is looked at. Whoever does not see them gets the same facts as a list.
import { Suspense, lazy } from 'react';
import { Loading } from './blank';
import type { Tone } from './state';

export interface Node {
  id: string;
  label: string;
  sub?: string;
  tone?: Tone;
}

export interface Edge {
  from: string;
  to: string;
  label?: string;
  /** For whoever gets the list, where nothing is written on the arrow. */
  said?: string;
  tone?: Tone;
}

export interface GraphProps {
  label: string;
  nodes: Node[];
  edges: Edge[];
  at?: string;
  pick?: (id: string) => void;
  down?: boolean;
}

const Drawn = lazy(() => import('./graph-drawn'));
/** About a screenful. */
const MOST = 80;

export function Graph(props: GraphProps) {
  const nodes = props.nodes.slice(0, MOST);
  const known = new Set(nodes.map((node) => node.id));
  const drawn = props.edges.filter((edge) => known.has(edge.from) && known.has(edge.to));
  // Who waits twice for the same thing is one arrow.
  const edges = [...new Map(drawn.map((edge) => [`${edge.from} ${edge.to} ${edge.label ?? ''}`, edge])).values()];
  const name = new Map(nodes.map((node) => [node.id, node.label]));
  return (
    <figure className="graph" data-size={nodes.length > 7 ? 'big' : 'small'} data-down={props.down} aria-label={props.label}>
      <Suspense fallback={<Loading />}>
        <Drawn {...props} nodes={nodes} edges={edges} />
      </Suspense>
      <ul className="unseen">
        {edges.map((edge) => (
          <li key={`${edge.from} ${edge.to} ${edge.label ?? ''}`}>
            {name.get(edge.from)} {edge.said ?? edge.label ?? 'leads to'} {name.get(edge.to)}
            {edge.tone === 'bad' && ', in a ring'}
          </li>
        ))}
      </ul>
      {props.nodes.length > MOST && <figcaption className="small faint card-body">The first {MOST} of {props.nodes.length}.</figcaption>}
    </figure>
  );
}
