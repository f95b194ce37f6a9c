// Where is this task, how did it get here, what does it wait for?
import { api } from '@/api/client';
import { byServer, serverNow } from '@/api/clock';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Choice, Filter, Tabs, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { TaskDrawer } from './drawer';
import { Across } from './across';

export type Task = paths['/api/v1/tasks']['get']['responses'][200]['content']['application/json']['tasks'][number];

const TABS = { latest: 'Latest here', search: 'Search all services' };
const STATES = { '': 'All', going: 'Under way', ended: 'Ended', failed: 'Failed' };
const text = (task: Task, name: string) => (typeof task.latest?.[name] === 'string' ? (task.latest[name] as string) : '');
const isFailed = (task: Task) => /fail|error|dead|timed/i.test(task.status ?? '');

const COLUMNS: Column<Task>[] = [
  { id: 'task', head: 'Task', cell: (task) => <Id id={task.task_id} noun="tasks" most={34} />, by: (task) => task.task_id },
  { id: 'status', head: 'Status', width: 140, cell: (task) => <State word={task.status ?? 'unknown'} />, by: (task) => task.status ?? '' },
  { id: 'service', head: 'Service', width: 120, wide: true, cell: (task) => <bdi>{text(task, 'service')}</bdi>, by: (task) => text(task, 'service') },
  { id: 'message', head: 'Last said', wide: true, cell: (task) => <bdi title={text(task, 'message')}>{text(task, 'message')}</bdi> },
  { id: 'attempt', head: 'Attempt', width: 80, num: true, wide: true, cell: (task) => task.attempt || '', by: (task) => task.attempt },
  { id: 'children', head: 'Children', width: 80, num: true, wide: true, cell: (task) => task.children || '', by: (task) => task.children },
  { id: 'at', head: 'Heard', width: 110, cell: (task) => <Ago at={task.at} />, by: (task) => task.at ?? '' },
];

export default function Tasks() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/tasks', { params: { query: { limit: 500 } } });
  const leases = api.useQuery('get', '/api/v1/tasks/-/leases', {}).data ?? [];
  const all = query.data?.tasks ?? [];
  const shown = all.filter((task) => inState(task, params.state) && matches(params.q, task.task_id, task.status, text(task, 'service'), text(task, 'message'), task.parent));
  const lapsed = leases.filter((lease) => Date.parse(lease.until) < serverNow()).length;
  return (
    <Page title="Tasks" at={byServer(query.dataUpdatedAt)} answer={<Answer all={query.data && all} lapsed={lapsed} />}>
      <Tabs name="tab" tabs={TABS} />
      {params.tab === 'search' ? <Across /> : <Card title={count(shown.length, 'task')} aside={<><Choice name="state" label="State" options={STATES} /><Filter label="Id, service, status, text" /></>}>
        {standIn(query, 8) ?? (
          <Table
            label="Tasks"
            columns={COLUMNS}
            rows={shown}
            name={(task) => task.task_id}
            at={params.id}
            open={(task) => set({ id: task.task_id, node: undefined })}
            empty={
              <Empty title={params.q ? 'None of the latest 500 tasks is like that.' : 'No task has reported yet.'} cli="quorate tasks status task-1 processing">
                {params.q && <span className="row"><button type="button" className="button" onClick={() => set({ id: params.q })}>Look up <bdi>{params.q.slice(0, 60)}</bdi> by its id</button><button type="button" className="button" data-kind="plain" onClick={() => set({ tab: 'search', task: params.q })}>Search all services for it</button></span>}
              </Empty>
            }
          />
        )}
      </Card>}
      {params.id && <TaskDrawer id={params.id} onClose={() => set({ id: undefined, node: undefined })} />}
    </Page>
  );
}

function Answer({ all, lapsed }: { all: Task[] | undefined; lapsed: number }) {
  if (!all) return <>Looking…</>;
  if (all.length === 0) return <><strong>No task has reported yet.</strong></>;
  const going = all.filter((task) => !task.ended).length;
  const failed = all.filter(isFailed).length;
  return (
    <>
      <strong>{going === 0 ? 'No task is' : count(going, 'task is', 'tasks are')} under way</strong>
      {failed > 0 ? <>, <span className="bad">{failed} failed</span> of the latest {all.length}</> : ', and none of the latest failed'}
      {lapsed > 0 && <>; {count(lapsed, 'worker was', 'workers were')} not heard from in time</>}.
    </>
  );
}

function inState(task: Task, state: string | undefined): boolean {
  if (state === 'going') return !task.ended;
  if (state === 'ended') return task.ended;
  return state === 'failed' ? isFailed(task) : true;
}
