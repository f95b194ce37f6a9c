// Registering a service, and changing one. The id stays.
import { Plus, Save } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { answer, client } from '@/api/client';
import { Action } from '@/parts/action';
import { line } from '@/parts/cli';
import { Cli } from '@/parts/copy';
import { Drawer } from '@/parts/drawer';
import type { Shown } from './drawer';

type Fields = Record<'name' | 'base_url' | 'environment' | 'tags', string>;

const words = (text: string) => text.split(',').map((word) => word.trim()).filter(Boolean);

function Inputs({ of, set, children }: { of: Fields; set: (change: Partial<Fields>) => void; children?: ReactNode }) {
  const field = (name: keyof Fields, label: string, hint: string) => (
    <label className="label">
      {label}
      <input className={name === 'base_url' ? 'field mono' : 'field'} placeholder={hint} autoComplete="off" spellCheck={false} value={of[name]} onChange={(event) => set({ [name]: event.target.value })} />
    </label>
  );
  return (
    <div className="form">
      {children}
      {field('base_url', 'Where it answers', 'https://payments.example.com')}
      {field('environment', 'Environment', 'production')}
      {field('name', 'Name for people', 'Payments')}
      {field('tags', 'Labels, with commas between', 'core, money')}
    </div>
  );
}

export function RegisterDrawer({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }) {
  const [id, setId] = useState('');
  const [of, setOf] = useState<Fields>({ name: '', base_url: '', environment: '', tags: '' });
  const cli = line('services register', [id || 'ID', of.base_url || 'URL'], { environment: of.environment || 'ENVIRONMENT', name: of.name || undefined, tags: words(of.tags).join(',') || undefined });
  const register = async () => {
    await answer(client.POST('/api/v1/services', { body: { service_id: id, base_url: of.base_url, environment: of.environment, name: of.name || undefined, tags: words(of.tags) } }));
    // Looked at right away, so that nobody has to wait for the next round.
    await client.POST('/api/v1/services/{service_id}/health/refresh', { params: { path: { service_id: id } }, body: {} });
  };
  return (
    <Drawer label="Register a service" title={<strong>Register a service</strong>} onClose={onClose}>
      <p className="soft">The plane asks it how it fares once a minute, and reads what became of its tasks. It is called by this server alone, and only where the rules for outgoing calls allow it.</p>
      <Inputs of={of} set={(change) => setOf({ ...of, ...change })}>
        <label className="label">
          Id, which stays
          <input className="field mono" placeholder="payments-api" autoComplete="off" spellCheck={false} value={id} onChange={(event) => setId(event.target.value)} />
        </label>
      </Inputs>
      <Cli line={cli} />
      <div className="row">
        <Action label="Register" kind="primary" noun="services" level="operate" icon={<Plus size={14} />} disabled={!id || !of.base_url || !of.environment} cli={cli} done={`${id} is registered`} run={register} after={() => onDone(id)} />
      </div>
    </Drawer>
  );
}

export function EditForm({ service, onDone }: { service: Shown; onDone: () => void }) {
  const before: Fields = { name: service.name, base_url: service.base_url, environment: service.environment, tags: service.tags.join(', ') };
  const [of, setOf] = useState(before);
  const changed = Object.fromEntries(Object.entries(of).filter(([name, value]) => value !== before[name as keyof Fields])) as Partial<Fields>;
  const { tags, ...rest } = changed;
  const body = { ...rest, ...(tags === undefined ? {} : { tags: words(tags) }) };
  const id = service.service_id;
  const cli = line('services update', id, { name: changed.name, url: changed.base_url, environment: changed.environment, tags: tags === undefined ? undefined : words(tags).join(',') });
  return (
    <div className="card card-body stack">
      <Inputs of={of} set={(change) => setOf({ ...of, ...change })} />
      <div className="row">
        <Action label="Save" kind="primary" noun="services" level="operate" icon={<Save size={14} />} disabled={Object.keys(changed).length === 0} cli={cli} done={`${id} is changed`} run={() => answer(client.PATCH('/api/v1/services/{service_id}', { params: { path: { service_id: id } }, body }))} after={onDone} />
        <button type="button" className="button" data-kind="plain" onClick={onDone}>As it was</button>
      </div>
    </div>
  );
}
