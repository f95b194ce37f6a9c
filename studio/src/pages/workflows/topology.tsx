// The stages of a workflow and what may follow what; of a run, what each stage has.
import type { paths } from '@/api/schema';
import { Graph } from '@/parts/graph';
import type { Tone } from '@/parts/state';

export type Definition = paths['/api/v1/workflows/{workflow}']['get']['responses'][200]['content']['application/json'];
export type Run = paths['/api/v1/workflows/runs/{task}']['get']['responses'][200]['content']['application/json'];

export function Topology({ of, run, missing }: { of: Definition; run?: Run; missing?: Set<string> }) {
  const nodes = of.topology.stages.map((stage) => {
    const own = run?.stages.find((one) => one.stage === stage.name);
    const said = own ? [own.running && `${own.running} at work`, own.ready && `${own.ready} ready`, own.done && `${own.done} done`, own.failed && `${own.failed} failed`].filter(Boolean).join(', ') : undefined;
    const kind = [stage.join && `joins ${stage.join.rule ?? 'all'}`, stage.terminal && 'ends', stage.owner].filter(Boolean).join(', ');
    return { id: stage.name, label: stage.name, sub: said || kind, tone: toneIn(own, missing?.has(stage.name)) };
  });
  const edges = of.topology.stages.flatMap((stage) => (stage.allowed_next_stages ?? []).map((next) => ({ from: stage.name, to: next, tone: missing?.has(next) ? ('warn' as const) : undefined })));
  return <Graph label={`Stages of ${of.workflow}`} nodes={nodes} edges={edges} />;
}

function toneIn(own: Run['stages'][number] | undefined, missing: boolean | undefined): Tone | undefined {
  if (missing) return 'warn';
  if (!own) return undefined;
  if (own.failed > 0) return 'bad';
  return own.running > 0 ? 'accent' : own.done > 0 ? 'ok' : 'warn';
}
