// One lock: who has it and since when, who waits and for how long still, and the ways to set it free.
import { LockOpen, Scissors } from 'lucide-react';
import { answer, api, client } from '@/api/client';
import type { paths } from '@/api/schema';
import { useMe } from '@/api/session';
import { Action } from '@/parts/action';
import { standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';

type Lock = paths['/api/v1/locks/{lock}']['get']['responses'][200]['content']['application/json'];

export function LockDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/locks/{lock}', { params: { path: { lock: id } } }, { refetchInterval: 2_000 });
  const lock = query.data?.lock === id ? query.data : undefined;
  return (
    <Drawer label={`Lock ${id}`} title={<><Id id={id} most={44} />{lock && <State word={lock.holders.length > 0 ? 'held' : 'free'} tone={lock.holders.length > 0 ? 'accent' : 'ok'} />}</>} onClose={onClose}>
      {standIn(query) ?? (
        <>
          <Section title="Held by">
            {lock?.holders.length === 0 && <p className="soft">Nobody. Whoever asks gets it.</p>}
            {lock?.holders.map((holder) => <Holder key={`${holder.agent} ${holder.mode}`} lock={id} holder={holder} />)}
          </Section>
          <Section title={lock?.waiting ? `Waiting: ${lock.waiting}` : 'Waiting'}>
            {lock?.waiters.length === 0 && <p className="soft">Nobody.</p>}
            <ol className="stack" style={{ gap: 10 }}>
              {lock?.waiters.map((waiter, at) => (
                <li key={waiter.request} className="row">
                  <span className="faint small">{at + 1}.</span>
                  <Id id={waiter.agent} noun="agents" />
                  <State word={waiter.mode} tone="idle" />
                  <span className="soft small foreign">
                    since <Ago at={waiter.since} />, gives up <Ago at={waiter.deadline} />
                    {waiter.purpose && <>, for “{waiter.purpose}”</>}
                  </span>
                </li>
              ))}
            </ol>
          </Section>
        </>
      )}
    </Drawer>
  );
}

function Holder({ lock, holder }: { lock: string; holder: Lock['holders'][number] }) {
  const path = { params: { path: { lock } } };
  const foreign = holder.token === 0;
  // Who breaks a lock is on record with it.
  const me = useMe().data?.name ?? '';
  return (
    <div className="stack" style={{ gap: 10 }}>
      <div className="row">
        <Id id={holder.agent} noun="agents" />
        <State word={holder.mode} tone="accent" />
        {!holder.living && <State word="its agent is gone" tone="bad" />}
      </div>
      <Facts of={{ Since: holder.acquired_at ? <Ago at={holder.acquired_at} /> : 'not known', 'Passes on': holder.expires_at ? <Ago at={holder.expires_at} /> : 'only when its client lets it go', For: holder.purpose, Token: foreign ? undefined : <Id id={String(holder.token)} /> }} />
      <div className="row">
        {!foreign && (
          <Action
            label="Release"
            kind="danger"
            noun="locks"
            level="work"
            icon={<LockOpen size={14} />}
            cli={line('locks release', lock, { agent: holder.agent, token: String(holder.token) })}
            confirm={`${holder.agent} loses ${lock} at once; its later writes under this token are refused. Whoever waits first gets it.`}
            done={`${lock} is released`}
            run={() => answer(client.POST('/api/v1/locks/{lock}/release', { ...path, body: { agent: holder.agent, token: holder.token } }))}
          />
        )}
        <Action
          label="Steal"
          noun="locks"
          level="operate"
          icon={<Scissors size={14} />}
          cli={line('locks steal', lock, { agent: me, owner: holder.agent })}
          confirm={`Breaks ${lock} only if a foreign client left it behind without a lease; else it is refused and says when it passes on.`}
          done={`${lock} is broken`}
          run={() => answer(client.POST('/api/v1/locks/{lock}/steal', { ...path, body: { agent: me, owner: holder.agent } }))}
        />
      </div>
    </div>
  );
}
