// The verdict taken apart: what was asked, what came back and when, each with its state; and what the workers said.
import type { ReactNode } from 'react';
import { Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import type { Shown } from './drawer';

type Health = Shown['health'];
type Worker = Record<string, unknown>;

export function Reasons({ health }: { health: Health }) {
  const { http_status: http, capability_status: can, observation_freshness: events, worker_health: workers } = health;
  return (
    <>
      {health.reasons.length > 0 && (
        <ul className="reasons" aria-label="Reasons">
          {health.reasons.map((reason) => <li key={reason} className="foreign">{reason}</li>)}
        </ul>
      )}
      <ul className="card list signs" aria-label="What was seen">
        <Sign name="It answers" state={http.state} at={http.checked_at} detail={http.error_detail} />
        <Sign name="It says what it can do" state={can.state} at={can.last_successful_at} detail={can.error_detail} />
        <Sign name="It reports" state={events.state} at={newest(events.latest_status_event_at, events.latest_observation_event_at)} />
        <Sign name="Its workers run" state={workers.state} at={workers.latest_heartbeat_at} detail={workers.detail} />
        <Sign name="Somebody looks" state={health.registry_status === 'disabled' ? 'disabled' : health.last_checked_at ? 'ok' : 'missing'} at={health.last_checked_at} />
      </ul>
    </>
  );
}

const newest = (a: string | null | undefined, b: string | null | undefined) => ((a ?? '') > (b ?? '') ? a : b);

function Sign({ name, state, at, detail }: { name: string; state: string; at: string | null | undefined; detail?: ReactNode }) {
  return (
    <li>
      <span>{name}</span>
      <State word={state} />
      <span className="soft foreign">{detail}</span>
      <span className="faint small"><Ago at={at} /></span>
    </li>
  );
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const name = (worker: Worker) => text(worker.worker_id) || text(worker.worker_name) || text(worker.name) || 'without a name';

const COLUMNS: Column<Worker>[] = [
  { id: 'worker', head: 'Worker', cell: (worker) => <Id id={name(worker)} most={40} copy={false} />, by: name },
  { id: 'state', head: 'State', width: 110, cell: (worker) => <State word={worker.running === true ? 'running' : 'stopped'} tone={worker.running === true ? 'ok' : 'bad'} />, by: (worker) => String(worker.running) },
  { id: 'leases', head: 'Leases', width: 80, num: true, cell: (worker) => (Array.isArray(worker.active_leases) ? worker.active_leases.length || '' : '') },
  { id: 'beat', head: 'Heard', width: 110, cell: (worker) => <Ago at={text(worker.last_heartbeat_at)} />, by: (worker) => text(worker.last_heartbeat_at) },
];

export function Workers({ all }: { all: unknown[] }) {
  const workers = all.filter((one): one is Worker => typeof one === 'object' && one !== null);
  if (workers.length === 0) return null;
  return (
    <Section title={`Workers, ${workers.length}`}>
      <div className="card"><Table label="Workers" columns={COLUMNS} rows={workers} name={(worker) => `${name(worker)} ${workers.indexOf(worker)}`} /></div>
    </Section>
  );
}
