// People: who is in, from where, and an invitation for somebody else.
import { LogOut, Mail } from 'lucide-react';
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
import { ROLES } from './tokens';

type Session = paths['/api/v1/sign-ins']['get']['responses'][200]['content']['application/json'][number];

const COLUMNS: Column<Session>[] = [
  { id: 'user', head: 'Who', width: 160, cell: (one) => <bdi>{one.user}</bdi>, by: (one) => one.user },
  { id: 'role', head: 'Role', width: 110, cell: (one) => <State word={one.role ?? 'none'} tone={one.role === 'admin' ? 'warn' : 'idle'} />, by: (one) => one.role ?? '' },
  { id: 'from', head: 'From', width: 130, wide: true, cell: (one) => <bdi className="mono">{one.ip_address}</bdi> },
  { id: 'agent', head: 'With', wide: true, cell: (one) => <bdi title={one.user_agent ?? ''}>{browser(one.user_agent ?? '')}</bdi> },
  { id: 'active', head: 'Active', width: 110, cell: (one) => <Ago at={one.last_active} />, by: (one) => one.last_active ?? '' },
  { id: 'act', head: '', width: 120, cell: (one) => <End user={one.user} /> },
];

/** A browser as one would call it; what is not known is said as it is. */
function browser(agent: string): string {
  const name = /Edg\//.test(agent) ? 'Edge' : /Firefox\//.test(agent) ? 'Firefox' : /Chrom(e|ium)\//.test(agent) ? 'Chrome' : /Safari\//.test(agent) ? 'Safari' : undefined;
  const system = /Android/.test(agent) ? 'Android' : /iPhone|iPad/.test(agent) ? 'iOS' : /Mac OS X/.test(agent) ? 'macOS' : /Windows/.test(agent) ? 'Windows' : /Linux/.test(agent) ? 'Linux' : undefined;
  return name && system ? `${name} on ${system}` : agent;
}

export function SignIns() {
  const query = api.useQuery('get', '/api/v1/sign-ins', {});
  return (
    <>
      <Invite />
      <Card title={count(query.data?.length ?? 0, 'open session')}>{standIn(query, 4) ?? <Table label="Sessions" columns={COLUMNS} rows={query.data ?? []} name={(one) => one.id} empty={<Empty title="Nobody is signed in." />} />}</Card>
    </>
  );
}

function End({ user }: { user: string }) {
  return <Action label="Sign out" kind="plain" noun="sign-ins" level="admin" icon={<LogOut size={13} />} cli={line('sign-ins revoke', user)} confirm={`Every session of ${user} ends, and their codes are worth nothing any more.`} done={`${user} is signed out`} run={() => answer(client.DELETE('/api/v1/sign-ins/{user}', { params: { path: { user } } }))} />;
}

function Invite() {
  const [user, setUser] = useState('');
  const [role, setRole] = useState('viewer');
  const [code, setCode] = useState<string>();
  const link = code && `${location.origin}/login?code=${code}`;
  return (
    <Card title="Invite somebody">
      <div className="card-body row">
        <label className="label">Name<input className="field" value={user} onChange={(event) => setUser(event.target.value)} /></label>
        <label className="label">Role<select className="field" value={role} onChange={(event) => setRole(event.target.value)}>{ROLES.map((one) => <option key={one}>{one}</option>)}</select></label>
        <Action label="Make a link" kind="primary" noun="sign-ins" level="admin" icon={<Mail size={14} />} disabled={!user} cli={line('sign-ins invite', user, { role })} done={`A link for ${user} is made; it works once`} run={() => answer(client.POST('/api/v1/sign-ins/{user}/invite', { params: { path: { user } }, body: { role } }))} after={(said) => { setCode((said as { code: string }).code); setUser(''); }} />
        {link && <p className="row grow"><span className="soft">Works once:</span><code className="foreign">{link}</code><Copy text={link} what="link" /></p>}
      </div>
    </Card>
  );
}
