// What keeps failing, in how many ways, and what would replaying it do?
import { api } from '@/api/client';
import { byServer } from '@/api/clock';
import { Empty, standIn } from '@/parts/blank';
import { Choice, Filter } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { State } from '@/parts/state';
import { type Column, Table } from '@/parts/table';
import { Ago } from '@/parts/time';
import { type Cluster, Clusters } from './clusters';
import { LetterDrawer } from './drawer';
import type { Letter } from './letter';

/** Most failures that are listed; what is not listed is counted. */
const MOST = 200;
/** Most letters that are listed. */
const LETTERS = 500;
const STATES = { '': 'Open', replayed: 'Replayed', resolved: 'Resolved', all: 'All' };

const COLUMNS: Column<Letter>[] = [
  { id: 'id', head: 'Letter', width: 196, cell: (letter) => <Id id={letter.id} noun="dead" most={18} />, by: (letter) => letter.id },
  { id: 'source', head: 'From', width: 180, wide: true, cell: (letter) => <bdi>{letter.source}</bdi>, by: (letter) => letter.source },
  { id: 'reason', head: 'Why', cell: (letter) => <bdi title={letter.reason}>{letter.reason}</bdi>, by: (letter) => letter.reason },
  { id: 'state', head: 'State', width: 120, wide: true, cell: (letter) => <State word={letter.state} />, by: (letter) => letter.state },
  { id: 'attempts', head: 'Attempts', width: 80, num: true, wide: true, cell: (letter) => letter.attempts, by: (letter) => letter.attempts },
  { id: 'died', head: 'Died', width: 110, wide: true, cell: (letter) => <Ago at={letter.died_at} />, by: (letter) => letter.died_at },
];

export default function Dead() {
  const [params, set] = useParams();
  // A failure counts while it has open letters: what was replayed and done stays in the list, but needs nobody.
  const clusters = api.useQuery('get', '/api/v1/dead/clusters', { params: { query: { open: true, limit: MOST } } }, { refetchInterval: 2_000 });
  const letters = api.useQuery('get', '/api/v1/dead', { params: { query: { limit: LETTERS, cluster: params.cluster, text: params.q, state: params.state === 'all' ? undefined : ((params.state ?? 'open') as 'open') } } });
  const rows = (letters.data ?? []) as Letter[];
  return (
    <Page title="Dead letters" at={byServer(clusters.dataUpdatedAt)} answer={<Answer clusters={clusters.data} />}>
      <Card title="Failures they have in common">{standIn(clusters) ?? <Clusters all={clusters.data ?? []} at={params.cluster} pick={(cluster) => set({ cluster })} />}</Card>
      <Card
        title={`${rows.length < LETTERS ? '' : 'The latest '}${params.cluster ? count(rows.length, 'letter of this failure', 'letters of this failure') : count(rows.length, 'letter')}`}
        aside={
          <>
            <Choice name="state" label="State" options={STATES} />
            <Filter label="Text in reason or payload" />
          </>
        }
      >
        {standIn(letters, 8) ?? <Table label="Dead letters" columns={COLUMNS} rows={rows} name={(letter) => letter.id} at={params.id} open={(letter) => set({ id: letter.id })} empty={params.q || params.cluster || params.state ? <Empty title="No letter is like that.">Change the state or the text above.</Empty> : <Empty title="No letter is open." cli="quorate dead ls --state resolved" />} />}
      </Card>
      {params.id && <LetterDrawer id={params.id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}

function Answer({ clusters }: { clusters: Cluster[] | undefined }) {
  if (!clusters) return <>Looking…</>;
  const letters = clusters.reduce((sum, cluster) => sum + cluster.open, 0);
  if (letters === 0) return <>Nothing is dead. What fails for good is kept here until somebody replays or drops it.</>;
  const most = clusters.reduce((a, b) => (a.open >= b.open ? a : b));
  const reason = <>“<span className="foreign">{most.reason.slice(0, 80)}</span>”</>;
  const dead = <strong className="bad">{clusters.length >= MOST && 'More than '}{count(letters, 'letter is', 'letters are')} dead</strong>;
  if (clusters.length === 1) return <>{dead}{letters > 1 && ', all of them'} by {reason}.</>;
  return (
    <>
      {dead}, in <strong>{clusters.length} ways</strong>{most.open > 1 && <>; {most.open} of them by {reason}</>}.
    </>
  );
}
