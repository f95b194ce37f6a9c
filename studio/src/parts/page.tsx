// The frame of every page: its question answered in a sentence, as of when, and what can be done.
import type { ReactNode } from 'react';
import { AsOf } from './time';

interface Props {
  title: string;
  answer: ReactNode;
  /** When what is shown was true, by the server's clock. */
  at?: number;
  /** Whether it changes by itself, over a line of its own. */
  live?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, answer, at, live, actions, children }: Props) {
  return (
    <div className="page">
      <header className="head">
        <div className="grow">
          <p className="eyebrow">
            <span>{title}</span>
            {at !== undefined && at > 0 && <AsOf at={at} live={live} />}
          </p>
          <h1 className="answer">{answer}</h1>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({ title, aside, children }: { title?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="card">
      {(title !== undefined || aside !== undefined) && (
        <div className="card-head">
          <h2>{title}</h2>
          {aside && <div className="row">{aside}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Names and values; what has no value is left out. */
export function Facts({ of }: { of: Record<string, ReactNode> }) {
  const said = Object.entries(of).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl className="facts">
      {said.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd className="foreign">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const LONGEST = 200_000;

/** Foreign text as it is; JSON is indented. */
export function Payload({ value, label }: { value: unknown; label: string }) {
  const text = pretty(value);
  return (
    <pre className="payload" tabIndex={0} aria-label={label}>
      {text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… and ${text.length - LONGEST} more characters` : text}
    </pre>
  );
}

export function pretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null ? JSON.stringify(read, null, 2) : value;
  } catch {
    return value;
  }
}

export const count = (number: number, one: string, many = `${one}s`) => `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
