// Filters and selections live in the address, so that what is seen can be sent to somebody.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Params = Record<string, string | undefined>;

export function useParams(): [Params, (change: Params, how?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Params;
  const navigate = useNavigate();
  const set = useCallback(
    (change: Params, how?: { replace?: boolean }) => {
      const next = (before: Params) => Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value));
      void navigate({ to: '.', search: next as never, replace: how?.replace });
    },
    [navigate],
  );
  return [search, set];
}
