// What a page shows when there is nothing to show: nothing yet, nothing there, not allowed, or no answer. None is blank.
import { CircleSlash, Inbox, Lock, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { asProblem } from '@/api/problem';
import { Cli } from './copy';

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div className="card-body stack" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="skeleton" />
      ))}
    </div>
  );
}

export function Empty({ title, children, cli }: { title: string; children?: ReactNode; cli?: string }) {
  return (
    <div className="state">
      <Inbox size={18} aria-hidden />
      <div className="stack grow">
        <div>
          <strong>{title}</strong>
          {children}
        </div>
        {cli && <Cli line={cli} />}
      </div>
    </div>
  );
}

export function Failed({ error }: { error: unknown }) {
  const problem = asProblem(error);
  const denied = problem.status === 403;
  const missing = problem.status === 404;
  const Icon = denied ? Lock : missing ? CircleSlash : Unplug;
  const title = denied ? 'You may not see this' : missing ? 'It is not there' : 'No answer';
  return (
    <div className="state" data-tone={denied || missing ? 'idle' : 'bad'} role="alert">
      <Icon size={18} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p className="foreign lead">{problem.detail}</p>
        {problem.next && <p className="foreign">What to do: {problem.next}</p>}
        <p className="small faint">
          Code {problem.code}
          {problem.request_id && <>, request {problem.request_id}</>}
        </p>
      </div>
    </div>
  );
}

interface Query {
  data?: unknown;
  error: unknown;
  isPending: boolean;
}

/** The one thing to show instead of an answer, or nothing if the answer is there. */
export function standIn(query: Query, rows?: number): ReactNode | undefined {
  if (query.data !== undefined) return undefined;
  if (query.error) return <Failed error={query.error} />;
  return <Loading rows={rows} />;
}
