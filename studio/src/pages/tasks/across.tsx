// Tasks of all services by what is known of them: all that is said must hold, the last seen first.
import { useNavigate } from '@tanstack/react-router';
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Filter } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { To } from '@/parts/to';
import { useScope } from '@/shell/scope';

type Found = paths['/api/v1/search/tasks']['get']['responses'][200]['content']['application/json']['items'][number];

/** Under this service the plane's own tasks are found. */
const OWN = 'quorate';

/** Our own tasks have a page here; those of another service are among what it reports. */
const Named = ({ task: { task_id: id, service_id: service } }: { task: Found }) =>
  service === OWN ? <Id id={id} noun="tasks" most={34} /> : <To to="/services" search={{ id: service, task: id }}><Id id={id} most={34} copy={false} /></To>;

const COLUMNS: Column<Found>[] = [
  { id: 'task', head: 'Task', cell: (task) => <Named task={task} />, by: (task) => task.task_id },
  { id: 'service', head: 'Service', width: 160, wide: true, cell: (task) => <bdi>{task.service_name ?? task.service_id}</bdi>, by: (task) => task.service_id },
  { id: 'status', head: 'Status', width: 130, cell: (task) => <State word={task.status ?? 'unknown'} />, by: (task) => task.status ?? '' },
  { id: 'stage', head: 'Stage', width: 120, wide: true, cell: (task) => <bdi>{task.stage}</bdi>, by: (task) => task.stage ?? '' },
  { id: 'environment', head: 'Environment', width: 130, wide: true, cell: (task) => <bdi>{task.environment}</bdi>, by: (task) => task.environment ?? '' },
  { id: 'seen', head: 'Seen', width: 110, wide: true, cell: (task) => <Ago at={task.last_seen_at} />, by: (task) => task.last_seen_at ?? '' },
];

export function Across() {
  const [params, set] = useParams();
  const [environment] = useScope();
  const navigate = useNavigate();
  const asked = { task_id: params.task, service_id: params.service, status: params.status, stage: params.stage, correlation_id: params.correlation, environment };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const says = Object.keys(given).length > 0;
  const query = api.useQuery('get', '/api/v1/search/tasks', { params: { query: { ...given, cursor: params.cursor, limit: 200 } } }, { enabled: says });
  const rows = says ? (query.data?.items ?? []) : [];
  const open = (task: Found) => (task.service_id === OWN ? set({ id: task.task_id }) : void navigate({ to: '/services', search: { id: task.service_id, task: task.task_id } as never }));
  return (
    <Card title={says ? count(rows.length, 'task') : 'Tasks of all services'} aside={<><Filter name="task" label="Task id" /><Filter name="service" label="Service id" /><Filter name="status" label="Status" /><Filter name="stage" label="Stage" /><Filter name="correlation" label="Belongs to" /></>}>
      {!says ? (
        <Empty title="Say what you look for." cli="quorate tasks search --status failed">A task id, a service, a status, a stage, or what the tasks belong to; the environment is chosen at the top.</Empty>
      ) : (
        standIn(query, 6) ?? (
          <>
            <Table label="Tasks found" columns={COLUMNS} rows={rows} name={(task) => `${task.service_id} ${task.task_id}`} open={open} empty={<Empty title="No task is like that.">Words are compared whole. What was reported is found two to three seconds later.</Empty>} />
            {(query.data?.next_cursor || params.cursor) && (
              <div className="card-body row">
                {params.cursor && <button type="button" className="button" onClick={() => set({ cursor: undefined })}>First page</button>}
                {query.data?.next_cursor && <button type="button" className="button" onClick={() => set({ cursor: query.data?.next_cursor ?? undefined })}>Older</button>}
              </div>
            )}
          </>
        )
      )}
    </Card>
  );
}
