// The logs of many services in one line of time.
import { useMemo } from 'react';
import { api } from '@/api/client';
import { useTail } from '@/api/live';
import { Empty, standIn } from '@/parts/blank';
import { Choice, Filter, Several, matches } from '@/parts/filter';
import { Card, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { LogLines, type LogRecord, nameOf } from '@/parts/log';

const LEVELS = { '': 'All levels', warn: 'Warnings and errors', error: 'Errors' };
const MOST = 600;
/** As many as one stream may follow. */
const MOST_SERVICES = 32;

export function LogTail() {
  const [params] = useParams();
  // Which services log is found by a walk over all keys, so it is not asked every few seconds.
  const query = api.useQuery('get', '/api/v1/logs', {}, { refetchInterval: 60_000, staleTime: 30_000 });
  const all = (query.data ?? []).map((service) => service.service);
  const usual = all.slice(0, MOST_SERVICES).join(',');
  const chosen = (params.service ?? usual).split(',').filter((name) => all.includes(name)).slice(0, MOST_SERVICES);
  return (
    <Card title="Logs" aside={<><Choice name="level" label="Level" options={LEVELS} /><Filter label="Text" /></>}>
      {standIn(query, 4) ??
        (all.length === 0 ? (
          <Empty title="No service has logged." cli="some-service 2>&1 | quorate logs pipe api" />
        ) : (
          <>
            <Several name="service" label="Services" options={Object.fromEntries(all.map((name) => [name, name]))} usual={usual} />
            {chosen.length > 0 ? <Lines key={chosen.join()} services={chosen} /> : <Empty title="Choose a service above." />}
          </>
        ))}
    </Card>
  );
}

function Lines({ services }: { services: string[] }) {
  const [params] = useParams();
  const names = services.map((name) => `service=${encodeURIComponent(name)}`).join('&');
  const [first = '', ...further] = services;
  const before = api.useQuery('get', '/api/v1/logs/{service}', { params: { path: { service: first }, query: { services: further, lines: MOST } } }, { refetchInterval: false });
  const tail = useTail('logs', `?${names}`);
  const records = useMemo(() => merge((before.data ?? []) as LogRecord[], (tail.items ?? []).map((entry) => entry.data)), [before.data, tail.items]);
  const loud = (level: unknown) => !params.level || level === params.level || level === 'error';
  const shown = records.filter((record) => loud(record.level) && matches(params.q, String(record.msg), JSON.stringify(record.fields)));
  // What came meanwhile is shown at once; nothing is called nothing before the answer is here.
  const waits = records.length === 0 ? standIn(before, 8) : undefined;
  if (waits) return waits;
  return (
    <>
      <LogLines records={shown} label="Log records" />
      <p className="small faint card-body">{count(shown.length, 'record')}, the newest first.</p>
    </>
  );
}

/** The newest first, each once. */
function merge(before: LogRecord[], since: LogRecord[]): LogRecord[] {
  const all = new Map<string, LogRecord>();
  for (const record of [...before, ...since]) all.set(nameOf(record), record);
  return [...all.values()].sort((a, b) => (String(a.ts) < String(b.ts) ? 1 : -1)).slice(0, MOST);
}
