// One task: what it waits for, its timeline and its execution graph. A selection in one is the selection of the other.
import { api } from '@/api/client';
import { standIn } from '@/parts/blank';
import { Cli } from '@/parts/copy';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { Execution } from './execution';
import { TaskLogs } from './logs';
import { Timeline } from './timeline';

export function TaskDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const [params, set] = useParams();
  const at = params.node;
  const pick = (node: string) => set({ node: node === at ? undefined : node }, { replace: true });
  const path = { params: { path: { task_id: id } } };
  const query = api.useQuery('get', '/api/v1/tasks/{task_id}', path, { refetchInterval: 2_000 });
  const lease = api.useQuery('get', '/api/v1/tasks/-/leases', {}).data?.find((one) => one.task_id === id);
  const task = query.data?.task_id === id ? query.data : undefined;
  return (
    <Drawer wide label={`Task ${id}`} title={<><Id id={id} most={48} />{task && <State word={task.status ?? 'unknown'} />}</>} onClose={onClose}>
      {standIn(query) ?? (
        <>
          <Facts
            of={{
              Heard: <Ago at={task?.at} />,
              Attempt: task?.attempt || undefined,
              Parent: task?.parent && <Id id={task.parent} noun="tasks" />,
              'In the hands of': lease && (
                <span className="row">
                  <Id id={lease.owner} noun="agents" /> until <Ago at={lease.until} />
                  {lease.lapsed && <State word="lapsed" />}
                </span>
              ),
              'If its worker dies': lease?.action.replaceAll('_', ' '),
            }}
          />
          <Section title="What caused what">
            <Execution id={id} at={at} pick={pick} />
          </Section>
          <Section title="Timeline">
            <Timeline id={id} at={at} pick={pick} />
          </Section>
          {(task?.children ?? 0) > 0 && <Children id={id} />}
          <Section title="Logs"><TaskLogs id={id} /></Section>
          {task?.latest?.result !== undefined && (
            <Section title="Result">
              <Payload value={task.latest.result} label="Result" />
            </Section>
          )}
          <Cli line={line('tasks show', id)} />
        </>
      )}
    </Drawer>
  );
}

function Children({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/v1/tasks/{task_id}/children', { params: { path: { task_id: id }, query: { limit: 100 } } });
  return (
    <Section title={`Children, ${query.data?.total ?? ''}`}>
      {standIn(query, 2) ?? (
        <ul className="row">
          {query.data?.children.map((child) => (
            <li key={child}>
              <Id id={child} noun="tasks" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
