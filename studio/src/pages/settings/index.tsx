// Who can do what, and who changed it?
import { api } from '@/api/client';
import { byServer } from '@/api/clock';
import { READ_ONLY, useHindrance } from '@/api/session';
import { Empty } from '@/parts/blank';
import { Tabs } from '@/parts/filter';
import { Card, Page, count } from '@/parts/page';
import { useParams } from '@/parts/params';
import { Ago } from '@/parts/time';
import { Limits } from './limits';
import { SignIns } from './sign-ins';
import { Tokens } from './tokens';
import { Trail } from './trail';

const TABS = { tokens: 'Tokens', 'sign-ins': 'Sign-ins', limits: 'Limits', trail: 'Audit trail' };

export default function Settings() {
  const [params] = useParams();
  const may = useHindrance();
  const admin = may('tokens', 'admin') === undefined || may('tokens', 'admin') === READ_ONLY;
  const asked = api.useQuery('get', '/api/v1/tokens', {}, { enabled: admin });
  const tokens = asked.data;
  const people = api.useQuery('get', '/api/v1/sign-ins', {}, { enabled: admin }).data;
  const operator = may('audit', 'operate') === undefined || may('audit', 'operate') === READ_ONLY;
  const last = api.useQuery('get', '/api/v1/audit', { params: { query: { limit: 1 } } }, { enabled: operator }).data?.records[0];
  const tab = params.tab ?? 'tokens';
  const hidden = (tab === 'tokens' || tab === 'sign-ins') && !admin;
  return (
    <Page
      title="Settings"
      at={byServer(asked.dataUpdatedAt)}
      answer={
        tokens && people ? (
          <>
            <strong>{count(tokens.length, 'token')}</strong> and <strong>{count(new Set(people.map((one) => one.user)).size, 'person', 'people')}</strong> can come in; {count(tokens.filter((token) => token.role === 'admin').length, 'token is', 'tokens are')} an admin’s{last && <>, and the last to change something was <span className="foreign">{last.who}</span>, <Ago at={last.at} /></>}.
          </>
        ) : (
          'Who may come in is told to admins; what was changed, to operators.'
        )
      }
    >
      <Tabs name="tab" tabs={TABS} />
      {hidden ? (
        <Card>
          <Empty title="You may not see this.">It needs the role of an admin.</Empty>
        </Card>
      ) : (
        <>
          {tab === 'tokens' && <Tokens />}
          {tab === 'sign-ins' && <SignIns />}
          {tab === 'limits' && <Limits />}
          {tab === 'trail' && <Trail />}
        </>
      )}
    </Page>
  );
}
