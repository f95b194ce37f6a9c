// The audit trail: who changed what, and whether anybody has touched the record of it.
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Drawer } from '@/parts/drawer';
import { Filter } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Facts, Payload, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';

type Mark = paths['/api/v1/audit']['get']['responses'][200]['content']['application/json']['records'][number];

const COLUMNS: Column<Mark>[] = [
  { id: 'at', head: 'When', width: 110, wide: true, cell: (mark) => <Ago at={mark.at} />, by: (mark) => mark.at },
  { id: 'who', head: 'Who', width: 140, cell: (mark) => <bdi>{mark.who}</bdi>, by: (mark) => mark.who },
  { id: 'action', head: 'Did', width: 180, cell: (mark) => <span className="mono">{mark.action}</span>, by: (mark) => mark.action },
  { id: 'target', head: 'To', cell: (mark) => <bdi className="mono">{mark.target}</bdi>, by: (mark) => mark.target },
  { id: 'via', head: 'By', width: 80, wide: true, cell: (mark) => mark.via },
  { id: 'result', head: 'Result', width: 190, wide: true, cell: (mark) => <State word={mark.result} tone={mark.result === 'ok' ? 'ok' : 'warn'} />, by: (mark) => mark.result },
];

export function Trail() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/audit', { params: { query: { limit: 500, who: params.who || undefined, target: params.target || undefined } } });
  const open = query.data?.records.find((mark) => mark.id === params.record);
  const seal = api.useQuery('get', '/api/v1/audit/verify', {}, { refetchInterval: 30_000 }).data;
  return (
    <Card
      title={count(query.data?.records.length ?? 0, 'record')}
      aside={
        <>
          {seal && <State word={seal.findings.length === 0 ? `${seal.records} records, untouched` : `${seal.findings.length} findings`} tone={seal.findings.length === 0 ? 'ok' : 'bad'} />}
          <Filter name="who" label="Who" />
          <Filter name="target" label="To what" />
        </>
      }
    >
      {standIn(query, 8) ?? <Table label="Audit trail" columns={COLUMNS} rows={query.data?.records ?? []} name={(mark) => mark.id} open={(mark) => set({ record: mark.id })} at={params.record} empty={<Empty title="No record is like that." />} />}
      {params.record && query.data && !open && (
        <Drawer label="Record" title={<Id id={params.record} />} onClose={() => set({ record: undefined })}>
          <Empty title="It is not among these records.">The last 500 that are like what is asked for above are looked at; older ones are found by who did it, or to what.</Empty>
        </Drawer>
      )}
      {open && (
        <Drawer label="Record" title={<strong className="mono">{open.action}</strong>} onClose={() => set({ record: undefined })}>
          <Facts of={{ Who: open.who, When: <Ago at={open.at} />, To: open.target, By: open.via, Result: open.result, Request: <Id id={open.request} /> }} />
          {open.before !== undefined && <Payload value={open.before} label="Before" />}
          {open.after !== undefined && <Payload value={open.after} label="After" />}
        </Drawer>
      )}
    </Card>
  );
}
