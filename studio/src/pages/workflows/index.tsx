// Which edge is missing, who owns it, since when?
import { api } from '@/api/client';
import { byServer } from '@/api/clock';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { RunDrawer } from './run';
import { WorkflowDrawer } from './workflow';

type Run = paths['/api/v1/workflows/runs']['get']['responses'][200]['content']['application/json'][number];
type Flow = paths['/api/v1/workflows']['get']['responses'][200]['content']['application/json'][number];

const STATES = { running: 'Running', completed: 'Completed', failed: 'Failed', cancelled: 'Cancelled' };

/** Where a run stands: the stages that are ready or at work. */
const stands = (run: Run) => run.stages.filter((stage) => stage.ready + stage.running > 0).map((stage) => stage.running > 0 ? `${stage.stage} is at work` : `${stage.stage} waits to be taken up`).join(', ');

const RUNS: Column<Run>[] = [
  { id: 'task', head: 'Run of task', cell: (run) => <Id id={run.task} noun="runs" />, by: (run) => run.task },
  { id: 'flow', head: 'Workflow', width: 160, wide: true, cell: (run) => <Id id={run.workflow} noun="workflows" copy={false} />, by: (run) => run.workflow },
  { id: 'state', head: 'State', width: 120, cell: (run) => <State word={run.state} />, by: (run) => run.state },
  { id: 'stands', head: 'Stands at', cell: (run) => <bdi>{stands(run) || run.error || ''}</bdi>, wide: true },
  { id: 'began', head: 'Began', width: 110, wide: true, cell: (run) => <Ago at={run.created_at} />, by: (run) => run.created_at },
];

const FLOWS: Column<Flow>[] = [
  { id: 'flow', head: 'Workflow', cell: (flow) => <Id id={flow.workflow} noun="workflows" />, by: (flow) => flow.workflow },
  { id: 'version', head: 'Version', width: 80, num: true, cell: (flow) => flow.version },
  { id: 'stages', head: 'Stages', width: 80, num: true, cell: (flow) => flow.stages, by: (flow) => flow.stages },
  { id: 'by', head: 'Defined by', width: 140, wide: true, cell: (flow) => <bdi>{flow.defined_by}</bdi> },
  { id: 'at', head: 'When', width: 110, wide: true, cell: (flow) => <Ago at={flow.defined_at} />, by: (flow) => flow.defined_at },
];

export default function Workflows() {
  const [params, set] = useParams();
  const state = (params.state ?? 'running') as keyof typeof STATES;
  const runs = api.useQuery('get', '/api/v1/workflows/runs', { params: { query: { state, limit: 500 } } });
  const flows = api.useQuery('get', '/api/v1/workflows', {});
  const shown = (runs.data ?? []).filter((run) => matches(params.q, run.task, run.workflow));
  return (
    <Page title="Workflows" at={byServer(runs.dataUpdatedAt)} answer={<Answer runs={runs.data} flows={flows.data?.length ?? 0} state={state} />}>
      <Card title={count(shown.length, 'run')} aside={<><Choice name="state" label="State" options={STATES} /><Filter label="Task or workflow" /></>}>
        {standIn(runs, 6) ?? <Table label="Runs" columns={RUNS} rows={shown} name={(run) => run.task} at={params.run} open={(run) => set({ run: run.task, id: undefined })} empty={<Empty title={`No run is ${state}.`} cli="quorate workflows start publish book-1" />} />}
      </Card>
      <Card title={count(flows.data?.length ?? 0, 'workflow')}>
        {standIn(flows, 3) ?? <Table label="Workflows" columns={FLOWS} rows={flows.data ?? []} name={(flow) => flow.workflow} at={params.id} open={(flow) => set({ id: flow.workflow, run: undefined })} empty={<Empty title="No workflow is defined." cli="quorate workflows define publish publish.json" />} />}
      </Card>
      {params.run && <RunDrawer task={params.run} onClose={() => set({ run: undefined })} />}
      {params.id && !params.run && <WorkflowDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ runs, flows, state }: { runs: Run[] | undefined; flows: number; state: string }) {
  if (!runs) return <>Looking…</>;
  if (state !== 'running') return <><strong>{count(runs.length, 'run')}</strong> {state}.</>;
  if (runs.length === 0) return <><strong>Nothing runs.</strong> {flows === 0 ? 'No workflow is' : count(flows, 'workflow is', 'workflows are')} defined.</>;
  const waiting = runs.filter((run) => run.stages.every((stage) => stage.running === 0));
  const oldest = waiting.map((run) => run.created_at).sort()[0];
  return (
    <>
      <strong>{count(runs.length, 'run is', 'runs are')} under way</strong>
      {waiting.length === 0 ? ', and somebody works on each.' : <>; <span className="warn">{count(waiting.length, 'waits', 'wait')} for somebody</span>, the oldest begun <Ago at={oldest} />.</>}
    </>
  );
}
