// What is waiting, how old is the oldest, is it getting better or worse?
import { useMemo } from 'react';
import { type Queue, useView } from '@/api/live';
import { Empty, Loading } from '@/parts/blank';
import { Spark } from '@/parts/chart';
import { Choice, Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { span } from '@/parts/time';
import { LASTS } from '../overview/lately';
import { QueueDrawer } from './drawer';
import { type Depths, DepthChart, useDepths } from './series';

export default function Queues() {
  const [params, set] = useParams();
  const view = useView('queues');
  const depths = useDepths();
  const shown = (view.items ?? []).filter((queue) => matches(params.q, queue.queue));
  const columns = useMemo(() => columnsOf(depths), [depths]);
  return (
    <Page title="Queues" at={view.at} live answer={<Answer queues={view.items} depths={depths} />}>
      <Card title="Waiting, and how long the oldest has waited" aside={<Choice name="last" label="Over how long" options={LASTS} />}>
        <DepthChart depths={depths} queues={shown.map((queue) => queue.queue)} />
      </Card>
      <Card title={count(shown.length, 'queue')} aside={<Filter label="Queue" />}>
        {view.items === undefined ? (
          <Loading rows={8} />
        ) : (
          <Table label="Queues" columns={columns} rows={shown} name={(queue) => queue.queue} at={params.id} open={(queue) => set({ id: queue.queue })} empty={<Empty title="No queue is like that." cli="quorate queues push normal '{}'" />} />
        )}
      </Card>
      {params.id && <QueueDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ queues, depths }: { queues: Queue[] | undefined; depths: Depths }) {
  if (!queues) return <>Looking…</>;
  const waiting = queues.reduce((sum, queue) => sum + queue.depth + queue.delayed, 0);
  const flight = queues.reduce((sum, queue) => sum + queue.in_flight, 0);
  if (waiting === 0) return <><strong>Nothing waits</strong>, and {flight === 0 ? 'nothing is' : count(flight, 'item is', 'items are')} in flight.</>;
  const oldest = queues.reduce((a, b) => ((a.oldest_age_ms ?? 0) > (b.oldest_age_ms ?? 0) ? a : b));
  return (
    <>
      <strong>{count(waiting, 'item waits', 'items wait')}</strong>; the oldest has waited {span(oldest.oldest_age_ms ?? 0)} in {oldest.queue}
      {trend(depths)}.
    </>
  );
}

/** Against what it was at the left of the chart. */
function trend(depths: Depths): string {
  const known = depths.times.map((_, at) => at).filter((at) => depths.all.some((one) => typeof one.points[at] === 'number'));
  const [begin, end] = [known[0], known.at(-1)];
  if (begin === undefined || end === undefined || end - begin < 1) return '';
  const [first, last] = [begin, end].map((at) => depths.all.reduce((sum, one) => sum + (one.points[at] ?? 0), 0)) as [number, number];
  const over = ` over the last ${span(((depths.times[end] ?? 0) - (depths.times[begin] ?? 0)) * 1000)}`;
  return last > first ? `, ${last - first} more${over}` : last < first ? `, ${first - last} fewer${over}` : `, as many as before${over}`;
}

function columnsOf(depths: Depths): Column<Queue>[] {
  const points = (name: string) => depths.all.find((one) => one.name === name)?.points ?? [];
  return [
    { id: 'queue', head: 'Queue', cell: (queue) => <Id id={queue.queue} noun="queues" />, by: (queue) => queue.queue },
    { id: 'state', head: 'State', width: 110, wide: true, cell: (queue) => (queue.paused ? <State word="paused" /> : <State word={queue.depth + queue.in_flight > 0 ? 'working' : 'idle'} />), by: (queue) => String(queue.paused) },
    { id: 'depth', head: 'Waiting', width: 90, num: true, cell: (queue) => queue.depth, by: (queue) => queue.depth },
    { id: 'spark', head: 'Lately', width: 130, wide: true, cell: (queue) => <Spark points={points(queue.queue)} label={`How much waited in ${queue.queue}`} /> },
    { id: 'oldest', head: 'Oldest', width: 100, num: true, cell: (queue) => (queue.oldest_age_ms ? span(queue.oldest_age_ms) : ''), by: (queue) => queue.oldest_age_ms ?? 0 },
    { id: 'flight', head: 'In flight', width: 90, num: true, wide: true, cell: (queue) => queue.in_flight, by: (queue) => queue.in_flight },
    { id: 'delayed', head: 'Later', width: 80, num: true, wide: true, cell: (queue) => queue.delayed || '', by: (queue) => queue.delayed },
    { id: 'dead', head: 'Dead', width: 80, num: true, cell: (queue) => queue.dead || '', by: (queue) => queue.dead },
  ];
}
