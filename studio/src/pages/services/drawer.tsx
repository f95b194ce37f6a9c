// One service: how it fares and every reason for it, what happens there, and the switches.
import { Ban, Pencil, Power, Stethoscope, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api, client } from '@/api/client';
import type { paths } from '@/api/schema';
import { Action } from '@/parts/action';
import { standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { Activity } from './activity';
import { EditForm } from './form';
import { Reasons, Workers } from './health';

export type Shown = paths['/api/v1/services/{service_id}']['get']['responses'][200]['content']['application/json'];

export function ServiceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const [editing, setEditing] = useState(false);
  const query = api.useQuery('get', '/api/v1/services/{service_id}', { params: { path: { service_id: id } } }, { refetchInterval: 2_000 });
  const service = query.data?.service_id === id ? query.data : undefined;
  return (
    <Drawer
      wide
      label={`Service ${id}`}
      title={<><strong className="foreign">{service?.name ?? id}</strong><Id id={id} most={40} />{service && <State word={service.health.overall_status} />}</>}
      onClose={onClose}
      actions={service && <Actions service={service} onClose={onClose} edit={() => setEditing(!editing)} />}
    >
      {standIn(query) ?? (service && (
        <>
          {editing && <EditForm key={service.service_id} service={service} onDone={() => setEditing(false)} />}
          <Section title="Why we think so"><Reasons health={service.health} /></Section>
          <div className="split even">
            <Facts of={{ Answers: <Id id={service.base_url} most={44} />, Environment: service.environment, Labels: service.tags.join(', '), 'Signed in to by': service.auth_mode, 'Last seen': <Ago at={service.last_seen_at} /> }} />
            <Facts of={{ Feed: service.feed.pulled_at ? <>read <Ago at={service.feed.pulled_at} /></> : 'not read', Trouble: service.feed.trouble, 'Events lost': service.feed.gaps === 0 ? undefined : <span className="bad">{service.feed.gaps} times, last <Ago at={service.feed.gap_at} /></span>, Cursor: service.feed.cursor && <Id id={service.feed.cursor} most={20} />, Offers: offers(service.capabilities) }} />
          </div>
          <Workers all={service.health.worker_health.workers} />
          <Section title="Activity, live"><Activity id={id} /></Section>
        </>
      ))}
    </Drawer>
  );
}

function Actions({ service, onClose, edit }: { service: Shown; onClose: () => void; edit: () => void }) {
  const id = service.service_id;
  const path = { params: { path: { service_id: id } } };
  const off = service.status === 'disabled';
  return (
    <>
      <Action label="Check now" kind="primary" noun="services" level="operate" icon={<Stethoscope size={14} />} disabled={off} cli={line('services check', id)} done={(said) => `${id} is ${(said as Shown['health']).overall_status}`} run={() => answer(client.POST('/api/v1/services/{service_id}/health/refresh', { ...path, body: {} }))} />
      <button type="button" className="button" onClick={edit}><Pencil size={14} />Edit</button>
      {off ? (
        <Action label="Enable" noun="services" level="operate" icon={<Power size={14} />} cli={line('services enable', id)} done={`${id} is called again`} run={() => answer(client.POST('/api/v1/services/{service_id}/enable', { ...path, body: {} }))} />
      ) : (
        <Action label="Disable" noun="services" level="operate" icon={<Ban size={14} />} cli={line('services disable', id)} done={`${id} is not called until somebody enables it`} run={() => answer(client.POST('/api/v1/services/{service_id}/disable', { ...path, body: {} }))} />
      )}
      <Action label="Delete" kind="danger" noun="services" level="operate" icon={<Trash2 size={14} />} typed={id} cli={line('services delete', id)} confirm={`${service.name} leaves the registry with its health, its cursor and every event that is kept of it. This cannot be undone.`} done={`${id} is deleted`} run={() => answer(client.DELETE('/api/v1/services/{service_id}', path))} after={onClose} />
    </>
  );
}

/** What it says it can do. */
function offers(capabilities: unknown): string {
  const routes = (capabilities as { supported_routes?: unknown } | null)?.supported_routes;
  return Array.isArray(routes) ? routes.map(String).join(', ') : '';
}
