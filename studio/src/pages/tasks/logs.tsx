// What services have logged that names the task, the newest first.
import { api } from '@/api/client';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { LogLines, type LogRecord } from '@/parts/log';

/** Which services log is found by a walk over all keys. */
const SELDOM = { refetchInterval: 60_000, staleTime: 30_000 };
const LINES = 100;
const SERVICES = 32;

export function TaskLogs({ id }: { id: string }) {
  const known = api.useQuery('get', '/api/v1/logs', {}, SELDOM);
  const [first, ...further] = (known.data ?? []).map((one) => one.service).slice(0, SERVICES);
  const query = api.useQuery('get', '/api/v1/logs/{service}', { params: { path: { service: first ?? '' }, query: { services: further, grep: id, lines: LINES } } }, { enabled: first !== undefined, refetchInterval: 5_000 });
  const none = <Empty title="No record names this task." cli={line('logs tail', first ?? 'SERVICE', { grep: id })}>A record is found when its message or one of its fields has the id.</Empty>;
  if (known.data && first === undefined) return none;
  const records = [...((query.data ?? []) as LogRecord[])].reverse();
  return standIn(known, 2) ?? standIn(query, 2) ?? (records.length === 0 ? none : <div className="card"><LogLines records={records} label="Logs of the task" /></div>);
}
