// Everything the catalog says about one family.
import { api } from '@/api/client';
import { standIn } from '@/parts/blank';
import { Cli } from '@/parts/copy';
import { line } from '@/parts/cli';
import { Drawer, Section } from '@/parts/drawer';
import { Id } from '@/parts/id';
import { Facts } from '@/parts/page';
import { Ago } from '@/parts/time';

/** How many there are, and one of them. */
function Here({ id }: { id: string }) {
  const counted = api.useQuery('get', '/api/v1/keys/counts', {}).data;
  const own = counted?.families.find((share) => share.family === id);
  if (!counted) return null;
  return (
    <Section title="In the store">
      <Facts of={{ Keys: own ? `${counted.whole ? '' : 'about '}${own.about.toLocaleString('en')}` : counted.whole ? 'none' : 'none in the sample', 'One of them': own && <Id id={own.sample} most={52} />, 'As of': <Ago at={counted.as_of} /> }} />
    </Section>
  );
}

interface Field {
  name?: string;
  type?: string;
  required?: boolean;
  doc?: string;
}

/** What stands in a record of the family. */
function Fields({ of }: { of: Field[] }) {
  return (
    <ul className="card list" aria-label="Fields">
      {of.map((field, at) => (
        <li key={at}>
          <div className="row"><code>{field.name}</code><span className="small faint">{[field.type, field.required && 'always there'].filter(Boolean).join(', ')}</span></div>
          {field.doc && <p className="small soft">{field.doc}</p>}
        </li>
      ))}
    </ul>
  );
}

const said = (value: unknown) => (Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : undefined);

export function FamilyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.useQuery('get', '/api/v1/keys/{family}', { params: { path: { family: id } } }, { refetchInterval: false });
  const family = query.data as (NonNullable<typeof query.data> & Record<string, unknown>) | undefined;
  return (
    <Drawer label={`Family ${id}`} title={<Id id={id} most={40} />} onClose={onClose}>
      {standIn(query) ?? (family && (
        <>
          <p>{family.purpose}</p>
          <Facts of={{ Pattern: <code>{family.pattern}</code>, 'On a cluster': said(family.tagged) && <code>{said(family.tagged)}</code>, Kind: family.kind, Kept: family.retention, For: family.capability, Role: said(family.role), Writers: said(family.writers), Readers: said(family.readers), Sample: said(family.sample) && <Id id={said(family.sample) ?? ''} most={52} /> }} />
          <Here id={id} />
          {Array.isArray(family.fields) && <Section title="Fields"><Fields of={family.fields as Field[]} /></Section>}
          <Cli line={line('keys show', id)} />
        </>
      ))}
    </Drawer>
  );
}
