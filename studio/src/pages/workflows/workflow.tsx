// One workflow as it is defined.
import { api } from '@/api/client';
import { standIn } from '@/parts/blank';
import { Cli } from '@/parts/copy';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload } from '@/parts/page';
import { Ago } from '@/parts/time';
import { Topology } from './topology';

export function WorkflowDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/workflows/{workflow}', { params: { path: { workflow: id } } });
  const flow = query.data?.workflow === id ? query.data : undefined;
  return (
    <Drawer wide label={`Workflow ${id}`} title={<Id id={id} />} onClose={onClose}>
      {standIn(query) ?? (flow && (
        <>
          <Facts of={{ Version: flow.version, 'Defined by': flow.defined_by, When: <Ago at={flow.defined_at} />, Entry: flow.topology.entry.join(', '), Digest: <Id id={flow.digest} most={20} /> }} />
          <div className="card"><Topology of={flow} /></div>
          <Section title="Definition"><Payload value={flow.topology} label="Definition" /></Section>
          <Cli line={line('workflows show', id)} />
        </>
      ))}
    </Drawer>
  );
}
