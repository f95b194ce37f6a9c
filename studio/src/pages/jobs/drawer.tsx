// One job: its schedule, what ran, and running it once more.
import { Play, Trash2 } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import { Action } from '@/parts/action';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';

/** What a policy means. */
const WORDS: Record<string, string> = { skip: 'that time is left out', 'queue-one': 'it runs after', allow: 'both run', one: 'it runs once for all of them', all: 'it runs for each', none: 'they are left out' };

export function JobDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const path = { params: { path: { job: id } } };
  const query = api.useQuery('get', '/api/v1/jobs/{job}', path, { refetchInterval: 2_000 });
  const job = query.data?.id === id ? query.data : undefined;
  const actions = (
    <>
      <Action label="Run now" kind="primary" noun="jobs" level="operate" icon={<Play size={14} />} cli={line('jobs run', id)} done={`${id} is queued once more`} run={() => answer(client.POST('/api/v1/jobs/{job}/run', { ...path, body: {} }))} />
      <Action label="Take out" kind="danger" noun="jobs" level="operate" icon={<Trash2 size={14} />} cli={line('jobs cancel', id)} confirm={`${id} is taken out of the schedule and does not run again. What is queued already still runs.`} done={`${id} is out of the schedule`} run={() => answer(client.DELETE('/api/v1/jobs/{job}', path))} after={onClose} />
    </>
  );
  return (
    <Drawer label={`Job ${id}`} title={<><Id id={id} />{job && <State word={job.state} />}</>} onClose={onClose} actions={job && actions}>
      {standIn(query) ?? (job && (
        <>
          <Facts of={{ Schedule: job.cron ? <span className="mono">{job.cron}</span> : 'once', Zone: job.zone, Next: job.next_at && <Ago at={job.next_at} />, Into: <Id id={job.queue} noun="queues" />, 'If it still runs': WORDS[job.overlap] ?? job.overlap, 'If a time was missed': WORDS[job.catch_up] ?? job.catch_up, Times: job.occurrences }} />
          <Section title="What ran">
            {(job.runs ?? []).length === 0 && <Empty title="Not yet." />}
            <ol className="stack" style={{ gap: 8 }} aria-label="What ran">
              {(job.runs ?? []).map((run) => (
                <li key={run.id} className="row">
                  <State word={run.state} />
                  <span className="soft small">planned <Ago at={run.planned_at} /></span>
                  <span className="grow foreign small">{run.detail}</span>
                </li>
              ))}
            </ol>
          </Section>
          <Section title="Payload"><Payload value={job.payload} label="Payload" /></Section>
        </>
      ))}
    </Drawer>
  );
}
