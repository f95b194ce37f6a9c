// Who reads which stream, and how far behind.
import { Trash2 } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import type { paths } from '@/api/schema';
import { Action } from '@/parts/action';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Card, count } from '@/parts/page';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { span } from '@/parts/time';

type Group = paths['/api/v1/events/groups']['get']['responses'][200]['content']['application/json'][number];

const COLUMNS: Column<Group>[] = [
  { id: 'group', head: 'Group', cell: (group) => <bdi className="mono">{group.group}</bdi>, by: (group) => group.group },
  { id: 'stream', head: 'Stream', wide: true, cell: (group) => <bdi className="mono">{group.stream}</bdi>, by: (group) => group.stream },
  { id: 'state', head: 'State', width: 110, cell: (group) => <State word={group.state === 'waiting' ? 'up to date' : group.state} tone={group.state === 'waiting' ? 'ok' : group.state === 'reading' ? 'accent' : undefined} />, by: (group) => group.state },
  { id: 'lag', head: 'Behind', width: 80, num: true, cell: (group) => group.lag ?? '?', by: (group) => group.lag ?? -1 },
  { id: 'pending', head: 'Out', width: 80, num: true, wide: true, cell: (group) => group.pending, by: (group) => group.pending },
  { id: 'consumers', head: 'Consumers', width: 90, num: true, wide: true, cell: (group) => group.consumers, by: (group) => group.consumers },
  { id: 'idle', head: 'Idle', width: 100, wide: true, cell: (group) => (group.idle_ms ? span(group.idle_ms) : ''), by: (group) => group.idle_ms ?? 0 },
  { id: 'end', head: '', width: 110, cell: (group) => <End group={group} /> },
];

export function Groups() {
  const query = api.useQuery('get', '/api/v1/events/groups', {});
  return (
    <Card title={count(query.data?.length ?? 0, 'group')} aside={<span className="small faint">Behind: not read yet. Out: read, and not acknowledged.</span>}>
      {standIn(query, 4) ?? <Table label="Groups" columns={COLUMNS} rows={query.data ?? []} name={(group) => `${group.stream} ${group.group}`} empty={<Empty title="Nobody reads as a group." cli="quorate events read all --group audit --consumer worker-1" />} />}
    </Card>
  );
}

function End({ group }: { group: Group }) {
  return (
    <Action
      label="End"
      kind="plain"
      noun="events"
      level="operate"
      icon={<Trash2 size={13} />}
      cli={line('events forget', [group.stream, group.group])}
      confirm={`Ends the group ${group.group} of ${group.stream}: nothing is kept for it any more, and ${group.pending} entries that are out are forgotten.`}
      done={`${group.group} is ended`}
      run={() => answer(client.DELETE('/api/v1/events/{stream}/groups/{group}', { params: { path: { stream: group.stream, group: group.group } } }))}
    />
  );
}
