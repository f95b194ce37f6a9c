// Which services are healthy, and why do we think so?
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { type Service, useView } from '@/api/live';
import { useHindrance } from '@/api/session';
import { Empty, Loading } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { short } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { To } from '@/parts/to';
import { useScope } from '@/shell/scope';
import { ServiceDrawer } from './drawer';
import { RegisterDrawer } from './form';

/** The gravest first. */
const STATES = { '': 'All', unreachable: 'Unreachable', stale: 'Stale', degraded: 'Degraded', unknown: 'Unknown', healthy: 'Healthy', disabled: 'Disabled' };
const RANK = Object.keys(STATES);
const rank = (service: Service) => RANK.indexOf(service.overall_status);

const COLUMNS: Column<Service>[] = [
  { id: 'service', head: 'Service', width: 270, cell: (service) => <Name service={service} />, by: (service) => service.name.toLowerCase() },
  { id: 'health', head: 'Health', width: 126, cell: (service) => <State word={service.overall_status} />, by: rank },
  { id: 'why', head: 'Why', cell: (service) => <bdi className="soft" title={service.reasons.join('; ')}>{why(service)}</bdi>, wide: true },
  { id: 'environment', head: 'Environment', width: 140, wide: true, cell: (service) => <bdi>{service.environment}</bdi>, by: (service) => service.environment },
  { id: 'event', head: 'Last event', width: 104, wide: true, cell: (service) => <Ago at={service.last_event_at} />, by: (service) => service.last_event_at ?? '' },
  { id: 'checked', head: 'Looked at', width: 104, wide: true, cell: (service) => <Ago at={service.last_checked_at} />, by: (service) => service.last_checked_at ?? '' },
];

export default function Services() {
  const [params, set] = useParams();
  const view = useView('services');
  const all = useMemo(() => [...(view.items ?? [])].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)), [view.items]);
  const [env] = useScope();
  const near = all.filter((one) => !env || one.environment === env);
  const shown = near.filter((one) => (!params.state || one.overall_status === params.state) && matches(params.q, one.service_id, one.name, one.base_url, one.environment, ...one.tags));
  const may = useHindrance()('services', 'operate');
  return (
    <Page
      title="Services"
      at={view.at}
      live
      answer={<Answer all={view.items && near} env={env} />}
      actions={<button type="button" className="button" data-kind="primary" disabled={may !== undefined} title={may} onClick={() => set({ new: 'yes', id: undefined })}><Plus size={14} />Register a service</button>}
    >
      <Card title={count(shown.length, 'service')} aside={<><Choice name="state" label="Health" options={STATES} /><Filter label="Id, name, URL or label" /></>}>
        {view.items === undefined ? (
          <Loading rows={6} />
        ) : (
          <Table
            label="Services"
            columns={COLUMNS}
            rows={shown}
            name={(service) => service.service_id}
            at={params.id}
            open={(service) => set({ id: service.service_id, new: undefined })}
            empty={<Empty title={all.length > 0 ? 'No service is like that.' : 'No service is registered yet.'} cli="quorate services register payments-api https://payments.example.com --environment production">The plane then asks it how it fares, and reads what became of its tasks.</Empty>}
          />
        )}
      </Card>
      {params.new && <RegisterDrawer onClose={() => set({ new: undefined })} onDone={(id) => set({ id, new: undefined })} />}
      {params.id && !params.new && <ServiceDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Name({ service }: { service: Service }) {
  return (
    <span title={service.base_url}>
      <To to="/services" search={{ id: service.service_id }}><bdi>{service.name}</bdi></To> {service.name !== service.service_id && <bdi className="mono small faint">{short(service.service_id, 16)}</bdi>}
    </span>
  );
}

/** Why we think so, in a line. */
const why = (service: Service) => service.reasons[0] ?? 'it answers, its workers run, and it reports';

function Answer({ all, env }: { all: Service[] | undefined; env: string | undefined }) {
  if (!all) return <>Looking…</>;
  if (all.length === 0) return <>No service is registered{env && ` in ${env}`}.</>;
  const healthy = all.filter((one) => one.overall_status === 'healthy').length;
  const ail = all.filter((one) => ['unreachable', 'stale', 'degraded'].includes(one.overall_status)).sort((a, b) => rank(a) - rank(b));
  const [worst] = ail;
  return (
    <>
      <strong>{healthy === all.length ? (all.length === 1 ? 'The one service is' : `All ${all.length} services are`) : `${healthy} of ${count(all.length, 'service')} ${healthy === 1 ? 'is' : 'are'}`} healthy</strong>
      {env && <> in {env}</>}
      {worst ? <>; <span className={worst.overall_status === 'unreachable' ? 'bad foreign' : 'warn foreign'}>{worst.name} is {worst.overall_status}</span>: <span className="foreign">{(worst.reasons[0] ?? '').slice(0, 120)}</span>{ail.length > 1 && <>, and {count(ail.length - 1, 'other', 'others')} {ail.length === 2 ? 'ails' : 'ail'}</>}.</> : '.'}
    </>
  );
}
