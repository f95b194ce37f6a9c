// One queue: who works on what, and the switch.
import { Pause, Play } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import { Action } from '@/parts/action';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago, span } from '@/parts/time';
import { DepthChart, useDepths } from './series';

export function QueueDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/queues/{queue}', { params: { path: { queue: id }, query: { limit: 200 } } }, { refetchInterval: 2_000 });
  const queue = query.data?.queue === id ? query.data : undefined;
  const depths = useDepths();
  const path = { params: { path: { queue: id } } };
  const switches = queue?.paused ? (
    <Action label="Resume" kind="primary" noun="queues" level="operate" icon={<Play size={14} />} cli={line('queues resume', id)} done={`${id} goes on`} run={() => answer(client.POST('/api/v1/queues/{queue}/resume', { ...path, body: {} }))} />
  ) : (
    <Action label="Pause" noun="queues" level="operate" icon={<Pause size={14} />} cli={line('queues pause', id)} done={`${id} gives out nothing until it is resumed`} run={() => answer(client.POST('/api/v1/queues/{queue}/pause', { ...path, body: {} }))} />
  );
  return (
    <Drawer label={`Queue ${id}`} title={<><Id id={id} />{queue?.paused && <State word="paused" />}</>} onClose={onClose} actions={queue && switches}>
      {standIn(query) ?? (
        <>
          <Facts
            of={{
              Waiting: queue?.depth,
              Oldest: queue?.oldest_age_ms ? span(queue.oldest_age_ms) : undefined,
              'In flight': queue?.in_flight,
              'Due later': queue?.delayed,
              'Paused by': queue?.paused_by,
              'Lease ran out': queue?.stale || undefined,
              'Dead letters': queue?.dead,
            }}
          />
          <Section title="Lately">
            <DepthChart depths={depths} queues={[id]} narrow />
          </Section>
          <Section title="In flight">
            {queue?.claims.length === 0 && <Empty title="Nobody works on it." cli={line('queues claim', id, { agent: 'worker-1' })} />}
            <ul className="stack" style={{ gap: 8 }}>
              {queue?.claims.map((claim) => (
                <li key={claim.id} className="row">
                  <Id id={claim.id} most={20} />
                  <span className="soft">by</span>
                  <Id id={claim.agent} noun="agents" />
                  <span className="small soft">
                    attempt {claim.attempt}, lease ends <Ago at={claim.lease_until} />
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </Drawer>
  );
}
