// The door: a one-time code or a token; and what is shown where nobody answers it.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Problem, asProblem } from '@/api/problem';
import { signIn } from '@/api/session';
import { Failed, Loading } from '@/parts/blank';
import { Cli } from '@/parts/copy';

export function SignIn() {
  const [secret, setSecret] = useState('');
  const enter = useMutation({ mutationFn: () => signIn(secret) });
  return (
    <main className="signin">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate();
        }}
      >
        <h1 className="answer">
          <img src="/favicon.svg" alt="" width={28} height={28} /> Sign in to Quorate
        </h1>
        <label className="label">
          One-time code or token
          <input className="field mono" type="password" autoComplete="current-password" autoFocus required value={secret} onChange={(event) => setSecret(event.target.value)} />
        </label>
        {enter.error && (
          <p role="alert" className="foreign">
            {asProblem(enter.error).detail}
          </p>
        )}
        <button type="submit" className="button" data-kind="primary" disabled={enter.isPending}>
          Sign in
        </button>
        <p className="soft small"><code>quorate up</code> prints a link that signs you in. A code for somebody else is made by</p>
        <Cli line="quorate sign-ins invite NAME --role viewer" />
      </form>
    </main>
  );
}

/** Nobody can be let in or turned away; the page asks again by itself. */
export function Away({ problem }: { problem: Problem }) {
  return (
    <main className="signin">
      <div className="stack">
        <h1 className="answer">
          <img src="/favicon.svg" alt="" width={28} height={28} /> Quorate does not answer right now
        </h1>
        <Failed error={problem} />
        <p className="soft small" role="status">This page asks again every few seconds and goes on by itself.</p>
      </div>
    </main>
  );
}

/** How long an answer takes before somebody wonders. */
const WONDER_MS = 1_500;

/** Before the first answer: nothing for a moment, then what is being waited for. */
export function Waiting() {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), WONDER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!long) return <Loading />;
  return (
    <main className="signin">
      <div className="stack">
        <h1 className="answer">
          <img src="/favicon.svg" alt="" width={28} height={28} /> Waiting for Quorate
        </h1>
        <p role="status">The server has not answered yet. It may be asking a store that does not answer: after a few seconds it says so here.</p>
      </div>
    </main>
  );
}
