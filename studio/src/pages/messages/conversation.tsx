// What an agent was told and said, or a whole thread, with how far each message got.
import { api } from '@/api/client';
import type { paths } from '@/api/schema';
import { Empty, standIn } from '@/parts/blank';
import { Id } from '@/parts/id';
import { Card } from '@/parts/page';
import { State } from '@/parts/state';
import { Ago, millis, useSecond } from '@/parts/time';

type Message = paths['/api/v1/messages/history']['get']['responses'][200]['content']['application/json']['messages'][number];

interface Asked {
  agent: string | undefined;
  thread: string | undefined;
  message: string | undefined;
}

export function Conversation({ agent, thread, message }: Asked) {
  const query = api.useQuery('get', '/api/v1/messages/history', { params: { query: { limit: 200, ...(message ? { message } : thread ? { thread } : { agent }) } } }, { enabled: !!(agent || thread || message), refetchInterval: 3_000 });
  if (!agent && !thread && !message) {
    return (
      <Card title="Messages">
        <Empty title="Choose an inbox.">What its agent was told and said is shown here, with how far each message got.</Empty>
      </Card>
    );
  }
  return (
    <Card title={message ? <>Message <Id id={message} /></> : thread ? <>Thread <Id id={thread} /></> : <>To and from <Id id={agent ?? ''} noun="agents" /></>}>
      {standIn(query, 5) ??
        (query.data?.messages.length === 0 ? (
          <Empty title="Nothing was said." />
        ) : (
          <ol className="list" aria-label="Messages">
            {query.data?.messages.map((message, at) => <One key={message.id ?? at} message={message} whole={!!thread} />)}
          </ol>
        ))}
    </Card>
  );
}

function One({ message, whole }: { message: Message; whole: boolean }) {
  return (
    <li className="stack" style={{ gap: 6 }}>
      <div className="row">
        <Id id={message.from ?? 'somebody'} noun="messages" copy={false} most={20} />
        <span className="faint">to</span>
        <Id id={message.to ?? '?'} noun="messages" copy={false} most={20} />
        <span className="grow" />
        <Ladder message={message} />
        <span className="faint small">
          <Ago at={message.sent_at} />
        </span>
      </div>
      {message.subject && <strong className="foreign">{message.subject}</strong>}
      <p className="foreign">{message.body.length > 2000 ? `${message.body.slice(0, 2000)}…` : message.body}</p>
      <div className="row small soft">
        {message.acted_on && <span className="foreign">Done: {message.acted_on}</span>}
        {message.thread && !whole && <span>in thread <Id id={message.thread} noun="threads" copy={false} /></span>}
        {message.foreign && <State word="from another client" tone="idle" />}
      </div>
    </li>
  );
}

const RUNGS = ['stored', 'delivered', 'read', 'acknowledged', 'acted'] as const;

/** The rungs that a message reached; an answer that is overdue is red. */
function Ladder({ message }: { message: Message }) {
  const now = useSecond() * 1000;
  const reached = message.state === 'taken' ? 1 : RUNGS.indexOf(message.state as (typeof RUNGS)[number]);
  const late = !!message.ack_by && reached < 3 && (millis(message.ack_by) ?? now) < now;
  return (
    <span className="row" style={{ gap: 6 }} title={RUNGS.map((rung, at) => `${at <= reached ? '✓' : '·'} ${rung}`).join('\n')}>
      <span className="ladder" aria-hidden>
        {RUNGS.map((rung, at) => (
          <i key={rung} data-done={at <= reached} data-late={late && at > reached} />
        ))}
      </span>
      <span className="small">{late ? `${message.state}, answer overdue` : message.state}</span>
    </span>
  );
}
