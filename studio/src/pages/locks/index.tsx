// Who waits for whom, and is anyone stuck?
import { Unlink } from 'lucide-react';
import { useMemo } from 'react';
import { answer, api, client } from '@/api/client';
import { type Held, useView } from '@/api/live';
import { Action } from '@/parts/action';
import { Empty, Loading, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { LockDrawer } from './drawer';
import { type Wait, WaitGraph, useVictims } from './graph';

const FAST = { refetchInterval: 2_000 };

export default function Locks() {
  const [params, set] = useParams();
  const view = useView('locks');
  const waits = api.useQuery('get', '/api/v1/locks/waits', {}, FAST);
  const asks = api.useQuery('get', '/api/v1/locks/deadlocks', {}, FAST);
  const rings = asks.data?.deadlocks ?? [];
  const victims = useVictims(rings);
  const asked = waits.data ?? [];
  const held = (view.items ?? []).filter((one) => matches(params.q, one.lock, one.agent));
  const columns = useMemo(() => columnsOf(waits.data ?? []), [waits.data]);
  return (
    <Page
      title="Locks"
      at={view.at}
      live
      answer={<Answer held={view.items} waits={asks.data && waits.data} rings={rings} />}
      actions={rings.length > 0 && <Break rings={rings.length} />}
    >
      <div className="split locks">
        <Card title={`${view.more ? 'The first ' : ''}${count(held.length, 'hold')}`} aside={<Filter label="Lock or agent" />}>
          {view.items === undefined ? (
            <Loading rows={8} />
          ) : (
            <Table label="Locks" columns={columns} rows={held} name={(one) => `${one.lock} ${one.agent} ${one.mode}`} open={(one) => set({ id: one.lock })} empty={<Empty title={(view.items.length > 0 || params.q) ? 'No lock is like that.' : 'Nothing is held.'} cli="quorate locks run --agent worker-1 name:release -- make release" />} />
          )}
        </Card>
        <Card title="Who waits for whom">
          {rings.map((ring) => (
            <Ring key={ring.join()} ring={ring} victims={victims} />
          ))}
          {standIn(waits, 3) ?? (asked.length === 0 ? <Empty title="Nobody waits.">A wait is drawn here as an arrow from who waits to who is in the way.</Empty> : <WaitGraph waits={asked} rings={rings} victims={victims} />)}
        </Card>
      </div>
      {params.id && <LockDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ held, waits, rings }: { held: Held[] | undefined; waits: Wait[] | undefined; rings: string[][] }) {
  if (!held || !waits) return <>Looking…</>;
  const locks = new Set(held.map((one) => one.lock)).size;
  if (rings.length > 0) {
    return (
      <>
        <strong className="bad">{rings.length === 1 ? 'A ring' : `${rings.length} rings`} of agents wait for each other</strong>, and will not get on by themselves.
      </>
    );
  }
  if (waits.length === 0) return <><strong>{locks === 0 ? 'Nothing is held' : `${count(locks, 'lock is', 'locks are')} held`}</strong>, and nobody waits.</>;
  const sums = new Map<string, number>();
  for (const wait of waits) sums.set(wait.lock, (sums.get(wait.lock) ?? 0) + 1);
  const most = [...sums].sort((a, b) => b[1] - a[1])[0];
  return (
    <>
      <strong>{count(waits.length, 'request waits', 'requests wait')}</strong>, {sums.size > 1 && most?.[1] === 1 ? 'each for another lock' : <>{sums.size > 1 && `${most?.[1]} of them `}for <span className="foreign">{most?.[0]}</span></>}; nobody is stuck in a ring.
    </>
  );
}

function Break({ rings }: { rings: number }) {
  return (
    <Action
      label={rings === 1 ? 'Break the ring' : `Break ${rings} rings`}
      kind="primary"
      noun="locks"
      level="operate"
      icon={<Unlink size={14} />}
      cli={line('locks deadlocks', [], { break: true })}
      done="Broken: one wait of each ring was failed, and nothing held was taken"
      run={() => answer(client.POST('/api/v1/locks/deadlocks/break', { body: {} }))}
    />
  );
}

function Ring({ ring, victims }: { ring: string[]; victims: Set<string> }) {
  const victim = ring.map((edge) => edge.split(' waits for ')[0] ?? '').find((agent) => victims.has(agent));
  return (
    <div className="card-head" role="alert">
      <State word="deadlock" tone="bad" />
      <span className="grow foreign">{ring.join(' → ')}</span>
      {victim && <span className="soft small foreign">{victim} would give way: the lowest priority, and the last to come.</span>}
    </div>
  );
}

function columnsOf(waits: Wait[]): Column<Held>[] {
  const waiting = (lock: string) => waits.filter((wait) => wait.lock === lock).length;
  return [
    { id: 'lock', head: 'Lock', cell: (one) => <span className="row tight"><Id id={one.lock} noun="locks" most={one.mode === 'shared' ? 15 : 22} copy={false} />{one.mode === 'shared' && <State word="shared" />}</span>, by: (one) => one.lock },
    { id: 'agent', head: 'Held by', width: 146, cell: (one) => <Id id={one.agent} noun="agents" most={17} copy={false} />, by: (one) => one.agent },
    { id: 'since', head: 'Since', width: 78, wide: true, cell: (one) => <Ago at={one.acquired_at} />, by: (one) => one.acquired_at },
    { id: 'until', head: 'Passes on', width: 84, wide: true, cell: (one) => <Ago at={one.expires_at} />, by: (one) => one.expires_at },
    { id: 'waiting', head: 'Waiting', width: 70, num: true, cell: (one) => waiting(one.lock) || '', by: (one) => waiting(one.lock) },
  ];
}
