// One letter: why it died, what it carries, and another life for it, with the payload as it was or changed.
import { NotebookPen, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api, client } from '@/api/client';
import { Action } from '@/parts/action';
import { standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Diff } from '@/parts/diff';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts, Payload, pretty } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago } from '@/parts/time';
import { type Letter, toldReplay } from './letter';

export function LetterDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/dead/{id}', { params: { path: { id } } });
  const letter = query.data?.id === id ? query.data : undefined;
  return (
    <Drawer label={`Dead letter ${id}`} title={<><Id id={id} most={32} />{letter && <State word={letter.state} />}</>} onClose={onClose} actions={letter && <Actions letter={letter} onClose={onClose} />}>
      {standIn(query) ?? (letter && <Told key={letter.id} letter={letter} />)}
    </Drawer>
  );
}

function Actions({ letter, onClose }: { letter: Letter; onClose: () => void }) {
  const path = { params: { path: { id: letter.id } } };
  return (
    <>
      <Action label="Replay" kind="primary" noun="dead" level="operate" icon={<RotateCw size={14} />} cli={line('dead replay', letter.id)} done={toldReplay} run={() => answer(client.POST('/api/v1/dead/{id}/replay', { ...path, body: {} }))} />
      <Action label="Drop" kind="danger" noun="dead" level="operate" icon={<Trash2 size={14} />} cli={line('dead drop', letter.id)} confirm={`Deletes the letter ${letter.id} with its payload, for good. The audit trail keeps who did it.`} done={`${letter.id} is dropped`} run={() => answer(client.DELETE('/api/v1/dead/{id}', { params: { path: { id: letter.id } } }))} after={onClose} />
    </>
  );
}

function Told({ letter }: { letter: Letter }) {
  return (
    <>
      <Facts
        of={{
          Why: letter.reason,
          From: <From source={letter.source} />,
          Item: <Id id={letter.item} />,
          By: <Id id={letter.by} noun="agents" />,
          Attempts: letter.attempts,
          Died: <Ago at={letter.died_at} />,
          Replays: letter.replays || undefined,
          'Lives again as': letter.replayed_as && <Id id={letter.replayed_as} />,
          'Looked into by': letter.investigated_by,
        }}
      />
      <Note letter={letter} />
      <Edit letter={letter} />
      {(letter.history ?? []).length > 0 && (
        <Section title="What happened before">
          <Payload value={letter.history} label="History" />
        </Section>
      )}
    </>
  );
}

/** A queue that it came from is a click away. */
function From({ source }: { source: string }) {
  return source.startsWith('queue:') ? <Id id={source.slice('queue:'.length)} noun="queues" /> : <>{source}</>;
}

function Edit({ letter }: { letter: Letter }) {
  const [text, setText] = useState<string>();
  const payload = text ?? pretty(letter.payload);
  const changed = text !== undefined && text !== pretty(letter.payload);
  return (
    <Section title="Payload">
      <textarea className="field" rows={Math.min(14, payload.split('\n').length + 1)} aria-label="Payload" spellCheck={false} value={payload} onChange={(event) => setText(event.target.value)} />
      {!changed && <p className="small faint">Change it to replay it differently: what you change is shown before anything runs.</p>}
      {changed && (
        <>
          <Diff before={pretty(letter.payload)} after={payload} />
          <div className="row">
            <Action
              label="Replay as changed"
              kind="primary"
              noun="dead"
              level="operate"
              cli={line('dead replay', letter.id, { payload })}
              confirm={`${letter.item} runs again with the payload as you changed it. The letter keeps the old one.`}
              done={toldReplay}
              run={() => answer(client.POST('/api/v1/dead/{id}/replay', { params: { path: { id: letter.id } }, body: { payload } }))}
            />
            <button type="button" className="button" data-kind="plain" onClick={() => setText(undefined)}>
              As it was
            </button>
          </div>
        </>
      )}
    </Section>
  );
}

function Note({ letter }: { letter: Letter }) {
  const [note, setNote] = useState(letter.note ?? '');
  return (
    <Section title="What you found out">
      <div className="row">
        <input className="field grow" aria-label="Note" placeholder="such as: the runner was full, cleared at noon" value={note} onChange={(event) => setNote(event.target.value)} />
        <Action label="Note it" noun="dead" level="operate" icon={<NotebookPen size={14} />} disabled={note === (letter.note ?? '')} cli={line('dead investigate', letter.id, { note })} done="Noted" run={() => answer(client.POST('/api/v1/dead/{id}/investigate', { params: { path: { id: letter.id } }, body: { note } }))} />
      </div>
    </Section>
  );
}
