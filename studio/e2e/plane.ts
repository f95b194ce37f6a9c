// The plane as a test asks it: over HTTP, with the token of an admin.
import { readFileSync } from 'node:fs';

export const URL_ = process.env.QUORATE_STUDIO_URL ?? 'http://127.0.0.1:5174';
export const TOKEN = process.env.QUORATE_STUDIO_TOKEN ?? '';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Said = any;

export async function ask(method: string, path: string, body?: unknown): Promise<Said> {
  const answer = await fetch(`${URL_}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const said: Said = text ? JSON.parse(text) : {};
  if (!answer.ok && said.outcome === undefined) throw new Error(`${method} ${path}: ${text}`);
  return said;
}

export const post = (path: string, body: unknown = {}) => ask('POST', path, body);
export const get = (path: string) => ask('GET', path);
export const enc = encodeURIComponent;

/** Does something while the store of the plane does not answer: its process stands still, as behind a dead network. */
export async function withoutStore(work: () => Promise<void>): Promise<void> {
  const data = process.env.QUORATE_STUDIO_DATA;
  if (!data) throw new Error('QUORATE_STUDIO_DATA must name the data directory of the plane');
  const { engine_pid: engine } = JSON.parse(readFileSync(`${data}/quorate.lock`, 'utf8')) as { engine_pid: number };
  process.kill(engine, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(engine, 'SIGCONT');
  }
}

/** A name that no other run of the tests has used. */
export const fresh = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
