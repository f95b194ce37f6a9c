// What did they say to each other, and did it arrive, get read, get done?
import { api } from '@/api/client';
import { byServer } from '@/api/clock';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { type Column, Table } from '@/parts/table';
import { Conversation } from './conversation';

type Counted = paths['/api/v1/messages/inboxes']['get']['responses'][200]['content']['application/json'];
type Inbox = Counted['inboxes'][number];

const COLUMNS: Column<Inbox>[] = [
  { id: 'agent', head: 'Inbox of', cell: (inbox) => <Id id={inbox.agent} noun="messages" most={22} copy={false} />, by: (inbox) => inbox.agent },
  { id: 'waiting', head: 'Waiting', width: 80, num: true, cell: (inbox) => inbox.waiting || <Nil />, by: (inbox) => inbox.waiting },
  { id: 'unread', head: 'Unread', width: 80, num: true, cell: (inbox) => inbox.unread || <Nil />, by: (inbox) => inbox.unread },
];

const Nil = () => <span className="faint">0</span>;

export default function Messages() {
  const [params, set] = useParams();
  const query = api.useQuery('get', '/api/v1/messages/inboxes', {}, { refetchInterval: 10_000 });
  const shown = (query.data?.inboxes ?? []).filter((inbox) => matches(params.q, inbox.agent));
  return (
    <Page title="Messages" at={byServer(query.dataUpdatedAt)} answer={<Answer counted={query.data} />}>
      <div className="split narrow-first">
        <Card title={count(shown.length, 'inbox', 'inboxes')} aside={<Filter label="Agent" />}>
          {standIn(query, 8) ?? <Table label="Inboxes" columns={COLUMNS} rows={shown} name={(inbox) => inbox.agent} at={params.agent} open={(inbox) => set({ agent: inbox.agent, thread: undefined, message: undefined })} empty={<Empty title={params.q ? 'No inbox is like that.' : 'No agent is here.'} cli="quorate messages send worker-2 --from worker-1 hello" />} />}
        </Card>
        <Conversation agent={params.agent} thread={params.thread} message={params.message} />
      </div>
    </Page>
  );
}

function Answer({ counted }: { counted: Counted | undefined }) {
  if (!counted) return <>Looking…</>;
  const { waiting, unread, inboxes: [fullest] } = counted;
  if (!fullest) return <><strong>Nobody is here to be written to.</strong></>;
  if (waiting === 0) return <>Every inbox is empty: all that was sent is acknowledged.</>;
  const read = unread === 0 ? (waiting === 1 ? 'it was read' : 'all were read') : unread < waiting ? `${unread} of them unread` : waiting === 1 ? 'it was not read yet' : 'none was read yet';
  return (
    <>
      <strong>{count(waiting, 'message waits', 'messages wait')}</strong>{fullest.waiting < waiting && ', most of them'} for <span className="foreign">{fullest.agent}</span>; {read}.
    </>
  );
}
