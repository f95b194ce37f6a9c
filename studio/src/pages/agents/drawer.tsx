// One agent: what it does, what it holds, what waits for it, and the ways to end that.
import { Link } from '@tanstack/react-router';
import { Ban, LogOut, Undo2 } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import { serverNow } from '@/api/clock';
import { standIn } from '@/parts/blank';
import { Action } from '@/parts/action';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago, millis } from '@/parts/time';

export function AgentDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/agents/{agent}', { params: { path: { agent: id } } });
  const agent = query.data;
  return (
    <Drawer
      label={`Agent ${id}`}
      title={
        <>
          <Id id={id} most={36} />
          {agent && <State word={agent.revoked ? 'revoked' : agent.label} />}
        </>
      }
      onClose={onClose}
      actions={agent && <Actions id={id} revoked={agent.revoked} banned={!!agent.banned} draining={!!agent.drain} />}
    >
      {standIn(query) ?? (
        <>
          <Facts
            of={{
              Role: agent?.role,
              Doing: agent?.task,
              Status: agent?.status,
              Heard: <Ago at={agent?.last_heartbeat} />,
              [(millis(agent?.lease_until) ?? 0) < serverNow() ? 'Lease ended' : 'Lease ends']: <Ago at={agent?.lease_until} />,
              Registered: <Ago at={agent?.registered_at} />,
              Draining: agent?.drain,
              'Banned until': agent?.banned,
              Parent: agent?.parent && <Id id={agent.parent} noun="agents" />,
              Can: agent?.capabilities.join(', '),
              Epoch: agent?.epoch && <Id id={String(agent.epoch)} />,
            }}
          />
          {agent?.blob !== undefined && agent?.blob !== null && <Payload value={agent.blob} label="What it says of itself" />}
        </>
      )}
      <Holds id={id} />
      <Inbox id={id} />
    </Drawer>
  );
}

function Actions({ id, revoked, banned, draining }: { id: string; revoked: boolean; banned: boolean; draining: boolean }) {
  const path = { params: { path: { agent: id } } };
  return (
    <>
      {!draining && !revoked && (
        <Action label="Drain" noun="agents" level="operate" icon={<LogOut size={14} />} cli={line('agents drain', id)} done={`${id} finishes what it has and takes nothing new`} run={() => answer(client.POST('/api/v1/agents/{agent}/drain', { ...path, body: {} }))} />
      )}
      {!revoked && (
        <Action
          label="Revoke"
          kind="danger"
          noun="agents"
          level="operate"
          icon={<Ban size={14} />}
          cli={line('agents revoke', id)}
          confirm={`Every later write of ${id} is refused, whether it listens or not. What it holds passes on to whoever waits.`}
          done={`${id} is revoked`}
          run={() => answer(client.POST('/api/v1/agents/{agent}/revoke', { ...path, body: {} }))}
        />
      )}
      {banned && <Action label="Lift the ban" noun="agents" level="operate" icon={<Undo2 size={14} />} cli={line('agents revoke', id, { lift: true })} done={`${id} may register again`} run={() => answer(client.POST('/api/v1/agents/{agent}/lift', { ...path, body: {} }))} />}
    </>
  );
}

function Holds({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/v1/locks', { params: { query: { agent: id } } });
  return (
    <Section title="Holds">
      {standIn(query, 2) ??
        (query.data?.length === 0 ? (
          <p className="soft">No locks.</p>
        ) : (
          <ul className="stack" style={{ gap: 6 }}>
            {query.data?.map((held) => (
              <li key={held.lock} className="row">
                <Id id={held.lock} noun="locks" most={44} />
                <State word={held.mode} />
                <span className="soft small">since <Ago at={held.acquired_at} />, passes on <Ago at={held.expires_at} /></span>
              </li>
            ))}
          </ul>
        ))}
    </Section>
  );
}

function Inbox({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/v1/messages/inbox/{agent}', { params: { path: { agent: id }, query: { limit: 5 } } });
  const inbox = query.data;
  if (query.error) return null;
  return (
    <Section title="Inbox">
      {inbox && inbox.waiting > 0 ? (
        <p>
          {inbox.waiting} waiting, {inbox.unread} unread: <Link className="underlined" to="/messages" search={{ agent: id } as never}>read them</Link>
        </p>
      ) : (
        <p className="soft">Nothing waits for it.</p>
      )}
    </Section>
  );
}
