// The drawing of a graph: layers from left to right, the same node in the same place as long as its neighbours stay.
import dagre from '@dagrejs/dagre';
import { Background, Controls, Handle, MarkerType, type NodeProps, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useMemo } from 'react';
import type { GraphProps, Node } from './graph';

const WIDTH = 180;
/** Where the boxes say what they wait for. */
const WIDTH_DOWN = 224;
const HEIGHT = 46;
const LETTER = 5.5;

type Data = Node & { at: boolean; pick?: (id: string) => void; down?: boolean };

function Box({ data }: NodeProps) {
  const own = data as unknown as Data;
  return (
    <button type="button" className="node" data-tone={own.tone} data-at={own.at} onClick={() => own.pick?.(own.id)} style={{ width: widthOf(own.down) }}>
      <Handle type="target" position={own.down ? Position.Top : Position.Left} isConnectable={false} />
      <b title={own.label}>{own.label}</b>
      <span className="soft" title={own.sub}>{own.sub ?? ' '}</span>
      <Handle type="source" position={own.down ? Position.Bottom : Position.Right} isConnectable={false} />
    </button>
  );
}

const widthOf = (down: boolean | undefined) => (down ? WIDTH_DOWN : WIDTH);
const kinds = { box: Box };
/** Never so small that nobody can read it: what has no room is a drag away. */
const FIT = { padding: 0.06, minZoom: 0.7, maxZoom: 1 };

export default function Drawn(props: GraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ nodes, edges, at, pick, down }: GraphProps) {
  const shape = JSON.stringify([nodes.map((node) => node.id).sort(), edges.map((edge) => [edge.from, edge.to, (edge.label ?? '').length])]);
  const places = useMemo(() => layout(shape, down), [shape, down]);
  const flow = useReactFlow();
  useEffect(() => {
    const timer = setTimeout(() => void flow.fitView(FIT), 30);
    return () => clearTimeout(timer);
  }, [shape, flow]);
  return (
    <ReactFlow
      nodeTypes={kinds}
      nodes={nodes.map((node) => ({ id: node.id, type: 'box', position: places.get(node.id) ?? { x: 0, y: 0 }, data: { ...node, at: node.id === at, pick, down }, draggable: false, selectable: false, focusable: false, width: widthOf(down), height: HEIGHT }))}
      edges={edges.map((edge) => ({ id: `${edge.from} ${edge.to} ${edge.label ?? ''}`, source: edge.from, target: edge.to, label: edge.label, className: `edge-${edge.tone ?? 'idle'}`, markerEnd: { type: MarkerType.ArrowClosed, color: edge.tone === 'bad' ? 'var(--bad)' : 'var(--line-strong)' }, focusable: false, selectable: false }))}
      fitView
      fitViewOptions={FIT}
      minZoom={0.2}
      nodesConnectable={false}
      preventScrolling={false}
      zoomOnScroll={false}
    >
      <Background gap={20} color="var(--line)" />
      <Controls showInteractive={false} />
    </ReactFlow>
  );
}

function layout(shape: string, down?: boolean): Map<string, { x: number; y: number }> {
  const [nodes, edges] = JSON.parse(shape) as [string[], [string, string, number][]];
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: down ? 'TB' : 'LR', nodesep: 22, ranksep: down ? 46 : 90 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of nodes) graph.setNode(id, { width: widthOf(down), height: HEIGHT });
  // A label has a place of its own, so that none lies on another.
  for (const [from, to, letters] of edges) graph.setEdge(from, to, letters > 0 && down ? { width: letters * LETTER, height: 14, labelpos: 'c' } : {});
  dagre.layout(graph);
  return new Map(nodes.map((id) => [id, { x: graph.node(id).x - widthOf(down) / 2, y: graph.node(id).y - HEIGHT / 2 }]));
}
