// What did they say to each other, and did it arrive, get read, get done?
import { useQueries } from '@tanstack/react-query';
import { api, every } from '@/api/client';
import { useView } from '@/api/live';
import { Empty, Loading } from '@/parts/blank';
import { Filter, matches } from '@/parts/filter';
import { Id } from '@/parts/id';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { type Column, Table } from '@/parts/table';
import { Conversation } from './conversation';

interface Inbox {
  agent: string;
  waiting: number | undefined;
  unread: number | undefined;
}

/** Inboxes that are looked into; more would be a storm of questions. */
const MOST = 60;

const COLUMNS: Column<Inbox>[] = [
  { id: 'agent', head: 'Inbox of', cell: (inbox) => <Id id={inbox.agent} most={22} copy={false} />, by: (inbox) => inbox.agent },
  { id: 'waiting', head: 'Waiting', width: 80, num: true, cell: (inbox) => inbox.waiting || '', by: (inbox) => inbox.waiting ?? 0 },
  { id: 'unread', head: 'Unread', width: 80, num: true, cell: (inbox) => inbox.unread || '', by: (inbox) => inbox.unread ?? 0 },
];

export default function Messages() {
  const [params, set] = useParams();
  const view = useView('agents');
  const inboxes = useInboxes();
  const shown = inboxes.filter((inbox) => matches(params.q, inbox.agent));
  const waiting = inboxes.reduce((sum, inbox) => sum + (inbox.waiting ?? 0), 0);
  const unread = inboxes.reduce((sum, inbox) => sum + (inbox.unread ?? 0), 0);
  const fullest = inboxes.reduce<Inbox | undefined>((a, b) => ((a?.waiting ?? 0) >= (b.waiting ?? 0) ? a : b), undefined);
  return (
    <Page
      title="Messages"
      at={view.at}
      answer={
        !view.items ? (
          'Looking…'
        ) : waiting === 0 ? (
          <>Every inbox is empty: all that was sent is acknowledged.</>
        ) : (
          <>
            <strong>{count(waiting, 'message waits', 'messages wait')}</strong>, {unread === 0 ? 'all of them read' : unread === waiting ? 'still unread' : `${unread} of them unread`}; the fullest inbox is that of <span className="foreign">{fullest?.agent}</span>.
          </>
        )
      }
    >
      <div className="split narrow-first">
        <Card title={count(shown.length, 'inbox', 'inboxes')} aside={<Filter label="Agent" />}>
          {!view.items ? <Loading rows={8} /> : <Table label="Inboxes" columns={COLUMNS} rows={shown} name={(inbox) => inbox.agent} at={params.agent} open={(inbox) => set({ agent: inbox.agent, thread: undefined, message: undefined })} empty={<Empty title="No agent is here." cli="quorate messages send worker-2 --from worker-1 hello" />} />}
          {view.items && view.items.length > MOST && <p className="small faint card-body">Counts of the first {MOST} agents by name; find others by their id.</p>}
        </Card>
        <Conversation agent={params.agent} thread={params.thread} message={params.message} />
      </div>
    </Page>
  );
}

function useInboxes(): Inbox[] {
  const agents = (useView('agents').items ?? []).map((agent) => agent.agent).sort();
  const asked = agents.slice(0, MOST);
  const answers = useQueries({
    queries: asked.map((agent) => ({
      ...api.queryOptions('get', '/api/v1/messages/inbox/{agent}', { params: { path: { agent }, query: { limit: 1 } } }),
      refetchInterval: every(15_000),
    })),
  });
  return asked.map((agent, at) => ({ agent, waiting: answers[at]?.data?.waiting, unread: answers[at]?.data?.unread }));
}
