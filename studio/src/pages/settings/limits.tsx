// How much each endpoint allows each user.
import { Gauge, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api, client } from '@/api/client';
import { Action } from '@/parts/action';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Card, count } from '@/parts/page';
import { type Column, Table } from '@/parts/table';
import { span } from '@/parts/time';

interface Limit {
  endpoint: string;
  limit: number;
  window_ms: number;
}

const COLUMNS: Column<Limit>[] = [
  { id: 'endpoint', head: 'Endpoint', cell: (limit) => <bdi className="mono">{limit.endpoint}</bdi>, by: (limit) => limit.endpoint },
  { id: 'limit', head: 'Allows each user', width: 200, cell: (limit) => `${limit.limit} in ${span(limit.window_ms)}`, by: (limit) => limit.limit },
  { id: 'act', head: '', width: 130, cell: (limit) => <Lift endpoint={limit.endpoint} /> },
];

export function Limits() {
  const query = api.useQuery('get', '/api/v1/limits', {});
  return (
    <>
      <Set />
      <Card title={count(query.data?.length ?? 0, 'limit')}>{standIn(query, 4) ?? <Table label="Limits" columns={COLUMNS} rows={query.data ?? []} name={(limit) => limit.endpoint} empty={<Empty title="No endpoint has a limit." cli="quorate limits set tasks:create 100/1m" />} />}</Card>
    </>
  );
}

function Lift({ endpoint }: { endpoint: string }) {
  return <Action label="Take away" kind="plain" noun="limits" level="operate" icon={<Trash2 size={13} />} cli={line('limits unset', endpoint)} confirm={`${endpoint} is then allowed without end.`} done={`${endpoint} has no limit`} run={() => answer(client.DELETE('/api/v1/limits/{endpoint}', { params: { path: { endpoint } } }))} />;
}

function Set() {
  const [endpoint, setEndpoint] = useState('');
  const [rule, setRule] = useState('100/1m');
  return (
    <Card title="Set a limit">
      <div className="card-body row">
        <label className="label">Endpoint<input className="field" placeholder="tasks:create" value={endpoint} onChange={(event) => setEndpoint(event.target.value)} /></label>
        <label className="label">Rule: so many in how long<input className="field" value={rule} onChange={(event) => setRule(event.target.value)} /></label>
        <Action label="Set it" kind="primary" noun="limits" level="operate" icon={<Gauge size={14} />} disabled={!endpoint || !rule} cli={line('limits set', [endpoint, rule])} done={`${endpoint} allows ${rule}`} run={() => answer(client.PUT('/api/v1/limits/{endpoint}', { params: { path: { endpoint } }, body: { rule } }))} />
      </div>
    </Card>
  );
}
