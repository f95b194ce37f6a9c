// What just happened, across everything, and did we lose anything?
import { api } from '@/api/client';
import { byServer } from '@/api/clock';
import { Tabs } from '@/parts/filter';
import { Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { Groups } from './groups';
import { LogTail } from './logs';
import { Losses } from './losses';
import { EventTail } from './tail';

const TABS = { tail: 'Events, live', logs: 'Logs, live', groups: 'Groups and lag', losses: 'Losses' };

export default function Events() {
  const [params] = useParams();
  const streams = api.useQuery('get', '/api/v1/events', {});
  const losses = api.useQuery('get', '/api/v1/events/losses', {});
  // The address of a service's logs names the service alone.
  const usual = params.service ? 'logs' : 'tail';
  const tab = params.tab ?? usual;
  const kept = (streams.data ?? []).reduce((sum, stream) => sum + stream.length, 0);
  const lost = (losses.data ?? []).reduce((sum, loss) => sum + loss.unread + loss.pending, 0);
  return (
    <Page
      title="Events and logs"
      at={byServer(streams.dataUpdatedAt)}
      answer={
        !streams.data ? 'Looking…' : (
          <>
            <strong>{count(kept, 'event is', 'events are')} kept</strong> in {count(streams.data.filter((stream) => stream.length > 0).length, 'stream')}, and {lost === 0 ? 'nothing was lost.' : <span className="bad">{count(lost, 'entry was', 'entries were')} lost before a group had them.</span>}
          </>
        )
      }
    >
      <Tabs name="tab" tabs={TABS} usual={usual} />
      {tab === 'tail' && <EventTail />}
      {tab === 'logs' && <LogTail />}
      {tab === 'groups' && <Groups />}
      {tab === 'losses' && <Losses />}
    </Page>
  );
}
