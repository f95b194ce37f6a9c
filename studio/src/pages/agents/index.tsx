// Who is here, who went quiet, and what are they holding?
import { useMemo } from 'react';
import { type Agent, useView } from '@/api/live';
import { useHindrance } from '@/api/session';
import { Empty, Loading } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { AgentDrawer } from './drawer';

const STATES = { '': 'All', live: 'Online', away: 'Away', quiet: 'Went quiet', draining: 'Draining', revoked: 'Revoked' };

export default function Agents() {
  const [params, set] = useParams();
  const view = useView('agents');
  const held = useHeld();
  const mayLocks = useHindrance()('locks', 'read') === undefined;
  const all = useMemo(() => view.items ?? [], [view.items]);
  const shown = all.filter((agent) => inState(agent, params.state) && matches(params.q, agent.agent, agent.role, agent.task));
  const limited = all.some((agent) => agent.capacity?.max_tasks);
  const columns = useMemo(() => columnsOf(held).filter((column) => (limited || column.id !== 'load') && (mayLocks || column.id !== 'held')), [held, limited, mayLocks]);
  return (
    <Page title="Agents" at={view.at} live answer={<Answer all={all} known={view.items !== undefined} more={view.more} held={held} />}>
      <Card
        title={`${view.more ? 'The longest silent ' : ''}${count(shown.length, 'agent')}`}
        aside={
          <>
            <Choice name="state" label="State" options={STATES} />
            <Filter label="Id, role or task" />
          </>
        }
      >
        {view.items === undefined ? (
          <Loading rows={8} />
        ) : (
          <Table
            label="Agents"
            columns={columns}
            rows={shown}
            name={(agent) => agent.agent}
            at={params.id}
            open={(agent) => set({ id: agent.agent })}
            empty={<Empty title={all.length > 0 ? 'No agent is like that.' : 'Nobody is here yet.'} cli="quorate agents register worker-1 --role builder" />}
          />
        )}
      </Card>
      {params.id && <AgentDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ all, known, more, held }: { all: Agent[]; known: boolean; more: boolean | undefined; held: Map<string, number> | undefined }) {
  if (!known) return <>Looking…</>;
  if (all.length === 0) return <><strong>Nobody is here yet.</strong> Whoever registers is seen here, until long after it went quiet.</>;
  const here = all.filter((agent) => agent.label === 'online' || agent.label === 'away');
  const quiet = all.filter((agent) => inState(agent, 'quiet'));
  const holding = held && quiet.filter((agent) => held.has(agent.agent)).length;
  const away = here.filter((agent) => agent.label === 'away').length;
  return (
    <>
      <strong>{more && 'More than '}{count(here.length, 'agent is', 'agents are')} here</strong>
      {away > 0 && <>, {away} of them away for a moment</>}
      {quiet.length === 0 ? (away > 0 ? '; nobody went quiet.' : ', and nobody went quiet.') : <>, <span className="warn">{quiet.length} went quiet</span>{holding === undefined ? '.' : holding === 0 ? (quiet.length === 1 ? ', and holds nothing.' : '; they hold nothing.') : quiet.length === 1 ? ', and still holds locks.' : <>; {holding} of those still {holding === 1 ? 'holds' : 'hold'} locks.</>}</>}
    </>
  );
}

/** How many locks each agent holds; nothing as long as that is not known, or may not be. */
function useHeld(): Map<string, number> | undefined {
  const locks = useView('locks').items;
  return useMemo(() => {
    if (!locks) return undefined;
    const sums = new Map<string, number>();
    for (const { agent } of locks) sums.set(agent, (sums.get(agent) ?? 0) + 1);
    return sums;
  }, [locks]);
}

function inState(agent: Agent, state: string | undefined): boolean {
  switch (state) {
    case 'live': return agent.label === 'online';
    case 'quiet': return agent.label === 'stale' || agent.label === 'dead';
    case 'away': return agent.label === 'away';
    case 'draining': return !!agent.drain;
    case 'revoked': return agent.revoked;
    default: return true;
  }
}

function columnsOf(held: Map<string, number> | undefined): Column<Agent>[] {
  return [
    { id: 'agent', head: 'Agent', cell: (agent) => <Id id={agent.agent} noun="agents" />, by: (agent) => agent.agent },
    { id: 'state', head: 'State', width: 150, cell: (agent) => <Standing agent={agent} />, by: (agent) => agent.label },
    { id: 'role', head: 'Role', width: 130, wide: true, cell: (agent) => <bdi>{agent.role}</bdi>, by: (agent) => agent.role ?? '' },
    { id: 'task', head: 'Doing', cell: (agent) => <bdi title={agent.task ?? ''}>{agent.task ?? <span className="faint">—</span>}</bdi>, wide: true },
    { id: 'load', head: 'Load', width: 120, wide: true, cell: (agent) => <Load agent={agent} />, by: (agent) => agent.capacity?.active_tasks ?? 0 },
    { id: 'held', head: 'Locks', width: 70, num: true, cell: (agent) => held?.get(agent.agent) ?? '', by: (agent) => held?.get(agent.agent) ?? 0 },
    { id: 'heard', head: 'Heard', width: 110, cell: (agent) => <Ago at={agent.last_heartbeat} />, by: (agent) => agent.last_heartbeat ?? 0 },
  ];
}

function Standing({ agent }: { agent: Agent }) {
  if (agent.revoked) return <State word="revoked" />;
  if (agent.drain) return <State word="draining" />;
  return <State word={agent.label} />;
}

function Load({ agent }: { agent: Agent }) {
  const { active_tasks: active = 0, max_tasks: most } = agent.capacity ?? {};
  if (!most) return <>{active || ''}</>;
  return (
    <span title={`${active} of ${most}`}>
      <span className="meter">
        <i style={{ width: `${Math.min(100, (active / most) * 100)}%` }} />
      </span>{' '}
      {active}/{most}
    </span>
  );
}
