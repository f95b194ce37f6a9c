// What is in the store, and does it match the contract?
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { Empty, Failed, standIn } from '@/parts/blank';
import { Choice, Filter, matches } from '@/parts/filter';
import { Id, short } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { millis } from '@/parts/time';
import { FamilyDrawer } from './drawer';

type Family = paths['/api/v1/keys']['get']['responses'][200]['content']['application/json'][number];

const SYSTEMS = { '': 'All systems', ade: 'ade', fleetclaw: 'fleetclaw', relayna: 'relayna', reverie: 'reverie', skynet: 'skynet', quorate: 'quorate' };

type Counted = paths['/api/v1/keys/counts']['get']['responses'][200]['content']['application/json'];

const full = (family: Family) => `${family.system}.${family.family}`;

const columnsOf = (counts: Map<string, number>, whole: boolean | undefined): Column<Family>[] => [
  { id: 'family', head: 'Family', width: 230, cell: (family) => <Id id={`${family.system}.${family.family}`} noun="keys" most={30} copy={false} />, by: (family) => `${family.system}.${family.family}` },
  { id: 'pattern', head: 'Pattern', cell: (family) => <code title={family.pattern}>{family.pattern}</code>, by: (family) => family.pattern },
  { id: 'kind', head: 'Kind', width: 90, wide: true, cell: (family) => family.kind, by: (family) => family.kind },
  { id: 'capability', head: 'For', width: 120, wide: true, cell: (family) => family.capability, by: (family) => family.capability },
  { id: 'retention', head: 'Kept', width: 150, wide: true, cell: (family) => family.retention, by: (family) => family.retention },
  { id: 'keys', head: whole ? 'Keys' : 'Keys, about', width: 96, num: true, cell: (family) => counts.get(full(family))?.toLocaleString('en') ?? <span className="faint">–</span>, by: (family) => counts.get(full(family)) ?? 0 },
];

export default function Keys() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/keys', { params: { query: { internal: true } } }, { refetchInterval: false });
  const all = query.data ?? [];
  const found = all.filter((family) => (!params.system || family.system === params.system) && matches(params.q, family.family, family.pattern, family.purpose, family.capability));
  const counted = api.useQuery('get', '/api/v1/keys/counts', {}, { refetchInterval: 30_000 }).data;
  const counts = useMemo(() => new Map<string, number>(counted?.families.map((share) => [share.family, share.about])), [counted]);
  const columns = useMemo(() => columnsOf(counts, counted?.whole), [counts, counted?.whole]);
  // What is in the store comes first.
  const shown = [...found].sort((a, b) => Number(counts.has(full(b))) - Number(counts.has(full(a))));
  return (
    <Page
      title="Keys"
      at={millis(counted?.as_of)}
      answer={<Answer counted={counted} families={query.data?.length} />}
    >
      <Which />
      <Card title={count(shown.length, 'family', 'families')} aside={<><Choice name="system" label="System" options={SYSTEMS} /><Filter label="Name, pattern, purpose" /></>}>
        {standIn(query, 10) ?? <Table label="Key families" columns={columns} rows={shown} name={(family) => `${family.system}.${family.family}`} at={params.id} open={(family) => set({ id: `${family.system}.${family.family}` })} empty={<Empty title="No family is like that." />} />}
      </Card>
      {params.id && <FamilyDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ counted, families }: { counted: Counted | undefined; families: number | undefined }) {
  if (!counted || families === undefined) return <>Looking…</>;
  const strange = counted.unknown;
  return (
    <>
      <strong>{count(counted.keys, 'key')}</strong> of {counted.families.length} of {families} families{counted.whole ? '' : `, by a sample of ${counted.looked.toLocaleString('en')}`};{' '}
      {strange ? <span className="warn">{counted.whole ? '' : 'about '}{count(strange.about, 'key fits', 'keys fit')} none of them, such as <span className="foreign mono">{short(strange.sample, 40)}</span>.</span> : 'every one that was looked at is in the contract.'}
    </>
  );
}

function Which() {
  const [params, set] = useParams();
  const key = params.key ?? '';
  const query = api.useQuery('get', '/api/v1/keys/which', { params: { query: { key } } }, { enabled: key !== '', refetchInterval: false, retry: false, placeholderData: undefined });
  return (
    <Card title="Which family is this key of?" aside={<Filter name="key" label="Paste a key" />}>
      {key === '' ? (
        <p className="card-body soft">Paste a key above, as it stands in the store: its family, what stands in its placeholders, and whether it is in the contract.</p>
      ) : query.data ? (
        <div className="card-body stack">
          <div className="row">
            <State word="in the contract" tone="ok" />
            <button type="button" className="button" onClick={() => set({ id: `${query.data?.system}.${query.data?.family}` })}>
              {query.data.system}.{query.data.family}
            </button>
            <code>{query.data.pattern}</code>
          </div>
          <p className="soft">
            {query.data.purpose} {Object.entries(query.data.bindings).map(([name, value]) => `${name} is ${String(value)}`).join(', ')}
          </p>
        </div>
      ) : query.error ? (
        <Failed error={query.error} />
      ) : (
        <Empty title="Looking…" />
      )}
    </Card>
  );
}
