// The one way to the plane: typed by the OpenAPI document, named so that a repeated call has one effect, and aware of who is
// signed in. No page asks in any other way.
import { QueryClient, focusManager } from '@tanstack/react-query';
import createClient, { type Middleware } from 'openapi-fetch';
import createQueries from 'openapi-react-query';
import { noteDate } from './clock';
import { asProblem } from './problem';
import { isPaused, onPause } from './pause';
import type { paths } from './schema';

const lost = new Set<() => void>();

/** Calls back when the server says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  lost.add(listener);
  return () => lost.delete(listener);
}

const house: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET') request.headers.set('Idempotency-Key', crypto.randomUUID());
    return request;
  },
  onResponse({ request, response }) {
    noteDate(response.headers.get('date'), response.status < 500);
    if (response.status === 401 && !/\/(sign-in|me)$/.test(request.url)) lost.forEach((listener) => listener());
    return response;
  },
};

export const client = createClient<paths>({ credentials: 'same-origin' });
client.use(house);

export const api = createQueries(client);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      refetchInterval: 5_000,
      staleTime: 1_000,
      placeholderData: (before: unknown) => before,
      retry: (count, error) => count < 2 && asProblem(error).status >= 500,
    },
  },
});

// A frozen page is one that nobody looks at: nothing is asked again. When it goes on, all that is old is asked for at once.
onPause(() => focusManager.setFocused(isPaused() ? false : undefined));

/** The answer of a call, or its problem thrown. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (error !== undefined) throw asProblem(error);
  return data as T;
}
