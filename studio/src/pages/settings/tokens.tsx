// Tokens: made once, shown once, ended at once.
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api, client } from '@/api/client';
import type { paths } from '@/api/schema';
import { Action } from '@/parts/action';
import { Empty, standIn } from '@/parts/blank';
import { line } from '@/parts/cli';
import { Copy } from '@/parts/copy';
import { Card, count } from '@/parts/page';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';

type Token = paths['/api/v1/tokens']['get']['responses'][200]['content']['application/json'][number];
export const ROLES = ['viewer', 'agent', 'operator', 'reviewer', 'admin'];

const COLUMNS: Column<Token>[] = [
  { id: 'name', head: 'Token', cell: (token) => <bdi className="mono">{token.name}</bdi>, by: (token) => token.name },
  { id: 'role', head: 'Role', width: 110, cell: (token) => <State word={token.role} tone={token.role === 'admin' ? 'warn' : 'idle'} />, by: (token) => token.role },
  { id: 'scopes', head: 'Narrowed to', wide: true, cell: (token) => <bdi>{[...token.scopes, token.agent && `agent ${token.agent}`].filter(Boolean).join(', ')}</bdi> },
  { id: 'by', head: 'Made by', width: 120, wide: true, cell: (token) => <bdi>{token.by}</bdi>, by: (token) => token.by },
  { id: 'used', head: 'Used', width: 110, wide: true, cell: (token) => <Ago at={token.last_used} />, by: (token) => token.last_used ?? '' },
  { id: 'ends', head: 'Ends', width: 110, wide: true, cell: (token) => (token.expires_at ? <Ago at={token.expires_at} /> : 'when revoked'), by: (token) => token.expires_at ?? '' },
  { id: 'act', head: '', width: 120, cell: (token) => <Revoke name={token.name} /> },
];

export function Tokens() {
  const query = api.useQuery('get', '/api/v1/tokens', {});
  return (
    <>
      <Make />
      <Card title={count(query.data?.length ?? 0, 'token')}>{standIn(query, 4) ?? <Table label="Tokens" columns={COLUMNS} rows={query.data ?? []} name={(token) => token.id} empty={<Empty title="No tokens." cli="quorate tokens create ci --role agent" />} />}</Card>
    </>
  );
}

function Revoke({ name }: { name: string }) {
  return (
    <Action label="Revoke" kind="plain" noun="tokens" level="admin" icon={<Trash2 size={13} />} cli={line('tokens revoke', name)} confirm={`The token ${name} ends, and every session that its holder opened with it.`} done={`${name} is revoked`} run={() => answer(client.DELETE('/api/v1/tokens/{name}', { params: { path: { name } } }))} />
  );
}

/** What a token may be narrowed to, as it is typed. */
interface Narrow {
  scopes: string;
  agent: string;
  ttl: string;
}

const WIDE: Narrow = { scopes: '', agent: '', ttl: '' };
const FIELDS: [keyof Narrow, string, string][] = [
  ['scopes', 'Only these scopes, with commas between', 'locks:read, queues:*'],
  ['agent', 'Acts only as this agent', 'worker-1'],
  ['ttl', 'Ends after', '30d'],
];
const words = (text: string) => text.split(',').map((word) => word.trim()).filter(Boolean);

function Make() {
  const [name, setName] = useState('');
  const [role, setRole] = useState('agent');
  const [narrow, setNarrow] = useState(WIDE);
  const [made, setMade] = useState<string>();
  const [scopes, agent, ttl] = [words(narrow.scopes), narrow.agent.trim() || undefined, narrow.ttl.trim() || undefined];
  const clear = (said: unknown) => {
    setMade((said as { token: string }).token);
    setName('');
    setNarrow(WIDE);
  };
  return (
    <Card title="A new token">
      <div className="card-body row">
        <label className="label">Name<input className="field" value={name} onChange={(event) => setName(event.target.value)} /></label>
        <label className="label">Role<select className="field" value={role} onChange={(event) => setRole(event.target.value)}>{ROLES.map((one) => <option key={one}>{one}</option>)}</select></label>
        {FIELDS.map(([field, label, hint]) => (
          <label key={field} className="label">{label}<input className="field" placeholder={hint} autoComplete="off" spellCheck={false} value={narrow[field]} onChange={(event) => setNarrow({ ...narrow, [field]: event.target.value })} /></label>
        ))}
        <Action label="Make it" kind="primary" noun="tokens" level="admin" icon={<Plus size={14} />} disabled={!name} cli={line('tokens create', name, { role, scope: scopes, agent, ttl })} done={`${name} is made`} run={() => answer(client.POST('/api/v1/tokens', { body: { name, role, scopes, agent, ttl } }))} after={clear} />
        {made && <p className="row grow"><span className="soft">Shown this once:</span><code className="foreign">{made}</code><Copy text={made} what="token" /></p>}
      </div>
    </Card>
  );
}
