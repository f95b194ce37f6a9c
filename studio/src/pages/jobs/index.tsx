// Did it run? When does it run next?
import { api } from '@/api/client';
import { byServer, serverNow } from '@/api/clock';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago, millis, span } from '@/parts/time';
import { JobDrawer } from './drawer';

export type Job = paths['/api/v1/jobs']['get']['responses'][200]['content']['application/json']['jobs'][number];

const COLUMNS: Column<Job>[] = [
  { id: 'job', head: 'Job', cell: (job) => <Id id={job.id} noun="jobs" />, by: (job) => job.id },
  { id: 'state', head: 'State', width: 100, wide: true, cell: (job) => <State word={job.state} />, by: (job) => job.state },
  { id: 'when', head: 'When', width: 168, wide: true, cell: (job) => (job.cron ? <span className="mono">{job.cron} <span className="faint">{job.zone}</span></span> : 'once') },
  { id: 'next', head: 'Next', width: 110, cell: (job) => (job.next_at ? <Ago at={job.next_at} /> : ''), by: (job) => job.next_at ?? '' },
  { id: 'last', head: 'Last', width: 170, cell: (job) => <Last job={job} />, by: (job) => job.runs?.[0]?.at ?? '' },
  { id: 'queue', head: 'Into', width: 190, wide: true, cell: (job) => <Id id={job.queue} noun="queues" most={22} copy={false} />, by: (job) => job.queue },
  { id: 'runs', head: 'Times', width: 66, num: true, wide: true, cell: (job) => job.occurrences, by: (job) => job.occurrences },
];

export default function Jobs() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/jobs', { params: { query: { limit: 1000 } } });
  const ended = api.useQuery('get', '/api/v1/jobs', { params: { query: { ended: true, limit: 200 } } });
  // The two lists are asked for one after the other, and a job that ends between them is in both: then it has ended.
  const all = query.data && [...new Map([...query.data.jobs, ...(ended.data?.jobs ?? [])].map((job) => [job.id, job])).values()];
  const shown = (all ?? []).filter((job) => matches(params.q, job.id, job.queue, job.cron));
  return (
    <Page title="Jobs" at={byServer(query.dataUpdatedAt)} answer={<Answer jobs={all} />}>
      <Card title={count(shown.length, 'job')} aside={<Filter label="Job, queue or schedule" />}>
        {standIn(query, 6) ?? <Table label="Jobs" columns={COLUMNS} rows={shown} name={(job) => job.id} at={params.id} open={(job) => set({ id: job.id })} empty={<Empty title="Nothing is scheduled." cli="quorate jobs schedule job:archive '{}' --id nightly --cron '0 3 * * *'" />} />}
      </Card>
      {params.id && <JobDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ jobs }: { jobs: Job[] | undefined }) {
  if (!jobs) return <>Looking…</>;
  const next = jobs.filter((job) => job.next_at).sort((a, b) => ((a.next_at ?? '') < (b.next_at ?? '') ? -1 : 1))[0];
  const failed = jobs.filter((job) => job.runs?.[0]?.state === 'failed');
  if (jobs.length === 0) return <>Nothing is scheduled.</>;
  return (
    <>
      {failed.length > 0 ? <><strong className="bad">{count(failed.length, 'job')} failed</strong> the last time: {failed.map((job) => job.id).slice(0, 3).join(', ')}</> : <strong>No job failed the last time it ran</strong>}
      {next && <>; next is <span className="foreign">{next.id}</span>, in {span((millis(next.next_at) ?? 0) - serverNow())}</>}.
    </>
  );
}

function Last({ job }: { job: Job }) {
  const run = job.runs?.[0];
  if (!run) return <span className="faint">not yet</span>;
  return (
    <span className="row" style={{ flexWrap: 'nowrap' }}>
      <State word={run.state} />
      <span className="soft">
        <Ago at={run.at} />
      </span>
    </span>
  );
}
