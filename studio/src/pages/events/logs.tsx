// The logs of many services in one line of time.
import { api } from '@/api/client';
import { useTail } from '@/api/live';
import { Empty, standIn } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { Card, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { clockTime } from '@/parts/time';

const LEVELS = { '': 'All levels', warn: 'Warnings and errors', error: 'Errors' };
const MOST = 600;
/** As many as one stream may follow. */
const MOST_SERVICES = 32;

export function LogTail() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/logs', {});
  const all = (query.data ?? []).map((service) => service.service);
  const chosen = params.service ? params.service.split(',') : all.slice(0, MOST_SERVICES);
  const toggle = (name: string) => set({ service: (chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]).join(','), tab: 'logs' }, { replace: true });
  return (
    <Card title="Logs" aside={<><Choice name="level" label="Level" options={LEVELS} /><Filter label="Text" /></>}>
      {standIn(query, 4) ??
        (all.length === 0 ? (
          <Empty title="No service has logged." cli="some-service 2>&1 | quorate logs pipe api" />
        ) : (
          <>
            <div className="card-head row" role="group" aria-label="Services">
              <div className="row">
                {all.map((name) => (
                  <label key={name} className="row small">
                    <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
                    <bdi className="foreign">{name}</bdi>
                  </label>
                ))}
              </div>
            </div>
            {chosen.length > 0 && <Lines key={chosen.join()} services={chosen} />}
          </>
        ))}
    </Card>
  );
}

function Lines({ services }: { services: string[] }) {
  const [params] = useParams();
  const names = services.map((name) => `service=${encodeURIComponent(name)}`).join('&');
  const tail = useTail(`/api/v1/live/logs?${names}&since=0-0`);
  const loud = (level: unknown) => !params.level || level === params.level || level === 'error';
  const records = (tail.items ?? []).map((entry) => entry.data).filter((record) => loud(record.level) && matches(params.q, String(record.msg), JSON.stringify(record.fields)));
  const shown = records.sort((a, b) => (String(a.ts) < String(b.ts) ? 1 : -1)).slice(0, MOST);
  return (
    <>
      <ol className="feed log tall" aria-label="Log records" tabIndex={0}>
        {shown.map((record, at) => (
          <li key={`${String(record.id)} ${at}`}>
            <span className="faint" title={String(record.ts)}>{clockTime(String(record.ts))}</span>
            <State word={String(record.level ?? 'info')} />
            <bdi className="soft">{String(record.service ?? '').slice(0, 20)}</bdi>
            <span className="foreign">{String(record.msg ?? record.reason ?? '').slice(0, 2000)}</span>
          </li>
        ))}
      </ol>
      <p className="small faint card-body">{count(shown.length, 'record')}, the newest first.</p>
    </>
  );
}
