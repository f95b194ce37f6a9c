// The ways in which things fail. A cluster is replayed with one letter first: only when that one is done do the others follow.
import { Bird, RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import { answer, client } from '@/api/client';
import type { paths } from '@/api/schema';
import { Action } from '@/parts/action';
import { Empty } from '@/parts/blank';
import { line } from '@/parts/cli';
import { State } from '@/parts/state';
import { useStill } from '@/parts/still';
import { Ago } from '@/parts/time';
import type { Progress } from '@/parts/working';
import { type Replayed, toldReplay } from './letter';

export type Cluster = paths['/api/v1/dead/clusters']['get']['responses'][200]['content']['application/json'][number];

const PATIENCE = '30s';
const STEP = 100;
/** Most letters of one call, and what is meant where nothing is said. */
const MOST = 100_000;
const USUAL = 1_000;

export function Clusters({ all, at, pick }: { all: Cluster[]; at: string | undefined; pick: (cluster: string | undefined) => void }) {
  if (all.length === 0) return <Empty title="No failure has open letters.">What was replayed and done is in the list below, under its state.</Empty>;
  return <Listed all={all} at={at} pick={pick} />;
}

/** The gravest first; under the pointer, which may be about to press a button, none changes its place. */
function Listed({ all, at, pick }: { all: Cluster[]; at: string | undefined; pick: (cluster: string | undefined) => void }) {
  const sorted = useMemo(() => [...all].sort((a, b) => b.open - a.open), [all]);
  const { held, gone, hold } = useStill(sorted, (cluster) => cluster.fingerprint);
  const most = Math.max(...all.map((cluster) => cluster.open));
  return (
    <ul className="list" aria-label="Failure clusters" onPointerMove={() => hold(true)} onPointerLeave={() => hold(false)}>
      {held.map((cluster, index) => (
        <li key={cluster.fingerprint} className="row cluster" data-testid="cluster" data-gone={gone.has(cluster.fingerprint) || undefined}>
          <State word={cluster.open.toLocaleString('en')} tone="bad" />
          <span className="meter" aria-hidden>
            <i style={{ width: `${(cluster.open / most) * 100}%` }} />
          </span>
          <span className="grow">
            <button type="button" className="button" data-kind="plain" style={{ height: 'auto', padding: 0, whiteSpace: 'normal', textAlign: 'left' }} aria-pressed={cluster.fingerprint === at} onClick={() => pick(cluster.fingerprint === at ? undefined : cluster.fingerprint)}>
              <bdi className="foreign">{cluster.reason.slice(0, 300)}</bdi>
            </button>
            <span className="small faint" style={{ display: 'block' }}>
              {gone.has(cluster.fingerprint) ? 'nothing of it is open any more' : <>last <Ago at={cluster.last} /></>}
              {cluster.fingerprint === at && ', shown below; click again for all'}
            </span>
          </span>
          {cluster.open > 1 && <Replay cluster={cluster} canary first={index === 0} />}
          <Replay cluster={cluster} />
        </li>
      ))}
    </ul>
  );
}

/** A few at a time, so that it can be seen how far it is. What is refused stays open and is met again: then more are asked for. */
async function replayAll(cluster: Cluster, tell: (progress: Progress) => void): Promise<Replayed> {
  const sum: Replayed = { outcome: 'replayed', replayed: [], refused: [], held_back: 0 };
  const refused = new Map<string, Replayed['refused'][number]>();
  for (;;) {
    tell({ done: sum.replayed.length, of: cluster.open });
    const limit = STEP + refused.size;
    const some = await answer(client.POST('/api/v1/dead/replay', { body: { cluster: cluster.fingerprint, limit } }));
    sum.replayed.push(...some.replayed);
    some.refused.forEach((one) => refused.set(one.letter, one));
    // Fewer than were asked for: there are no others. And as many as were asked for at first are not exceeded by what dies meanwhile.
    if (some.replayed.length + some.refused.length < limit || sum.replayed.length + refused.size >= cluster.open) return { ...sum, refused: [...refused.values()] };
  }
}

function Replay({ cluster, canary, first }: { cluster: Cluster; canary?: boolean; first?: boolean }) {
  const others = Math.min(cluster.open, MOST) - 1;
  return (
    <Action
      label={canary ? 'Try one first' : cluster.open === 1 ? 'Replay it' : 'Replay all'}
      kind={canary && first ? 'primary' : undefined}
      noun="dead"
      level="operate"
      icon={canary ? <Bird size={14} /> : <RotateCw size={14} />}
      cli={line('dead replay', [], { cluster: cluster.fingerprint, canary: canary ? PATIENCE : undefined, limit: cluster.open > USUAL ? String(Math.min(cluster.open, MOST)) : undefined })}
      confirm={canary ? `Replays one letter and waits up to ${PATIENCE} for it. If it is done, ${others === 1 ? 'the other follows' : `the ${others} others follow`}; if it dies again, nothing else is touched.` : `Puts ${cluster.open === 1 ? 'the item back where it' : `${cluster.open.toLocaleString('en')} items back where they`} came from, at once. What fails again comes back here.`}
      done={toldReplay}
      run={(tell) => (canary ? answer(client.POST('/api/v1/dead/replay', { body: { cluster: cluster.fingerprint, limit: Math.min(cluster.open, MOST), canary: PATIENCE } })) : replayAll(cluster, tell))}
    />
  );
}
