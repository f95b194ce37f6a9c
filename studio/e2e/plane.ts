// The plane as a test asks it: over HTTP, with the token of an admin.
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

/** A name that no other run of the tests has used. */
export const fresh = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
