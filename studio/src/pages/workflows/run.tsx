// One run: where it waits and why, drawn on its topology.
import { Square } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import { Action } from '@/parts/action';
import { standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { Topology } from './topology';

/** As a person would draw it. */
const arrows = (text: string) => text.replaceAll('->', '→');

const FAST = { refetchInterval: 2_000 };

export function RunDrawer({ task, onClose }: { task: string; onClose: () => void }) {
  const path = { params: { path: { task } } };
  const query = api.useQuery('get', '/api/v1/workflows/runs/{task}', path, FAST);
  const run = query.data?.task === task ? query.data : undefined;
  const why = api.useQuery('get', '/api/v1/workflows/runs/{task}/explain', path, FAST).data;
  const flow = api.useQuery('get', '/api/v1/workflows/{workflow}', { params: { path: { workflow: run?.workflow ?? '' }, query: { version: run?.version } } }, { enabled: !!run }).data;
  const cancel = run?.state === 'running' && (
    <Action label="Cancel the run" kind="danger" noun="workflows" level="operate" icon={<Square size={14} />} cli={line('workflows cancel', task)} confirm={`The run of ${task} ends. What is under way is not interrupted, but its result no longer counts.`} done={`The run of ${task} is cancelled`} run={() => answer(client.POST('/api/v1/workflows/runs/{task}/cancel', { ...path, body: {} }))} />
  );
  return (
    <Drawer wide label={`Run of ${task}`} title={<><Id id={task} noun="tasks" most={40} />{run && <State word={run.state} />}</>} onClose={onClose} actions={cancel}>
      {standIn(query) ?? (run && (
        <>
          {why && run.state === 'running' && <p className="foreign lead">{arrows(why.summary)}.</p>}
          <Facts of={{ Workflow: <span className="row"><Id id={run.workflow} noun="workflows" copy={false} /> version {run.version}</span>, Began: <Ago at={run.created_at} />, 'Begun by': run.created_by, 'Gives up': run.ended_at ? undefined : <Ago at={run.deadline} />, Ended: run.ended_at && <Ago at={run.ended_at} />, Error: run.error }} />
          {flow && flow.workflow === run.workflow && <div className="card"><Topology of={flow} run={run} missing={new Set(why?.waits.map((wait) => wait.stage))} /></div>}
          {why && why.waits.length > 0 && (
            <Section title="What is missing">
              <ul className="card list" aria-label="What is missing">
                {why.waits.map((wait) => (
                  <li key={`${wait.stage} ${wait.edge}`}>
                    <div className="row"><State word="waiting" /><strong className="foreign">{arrows(wait.edge)}</strong></div>
                    <p className="soft foreign lead">{arrows(wait.says)}; since <Ago at={wait.since} />{wait.owner && <>, looked after by {wait.owner}</>}.</p>
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Section title="Payload"><Payload value={run.payload} label="Payload" /></Section>
        </>
      ))}
    </Drawer>
  );
}
