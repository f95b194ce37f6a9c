// The environment that somebody looks at: in the address where it was said there, else as it was chosen last.
import { useSyncExternalStore } from 'react';
import { api } from '@/api/client';
import { useHindrance } from '@/api/session';
import { useParams } from '@/parts/params';

const NAME = 'quorate.environment';
const listeners = new Set<() => void>();

const kept = () => localStorage.getItem(NAME) ?? '';

/** The environment, or nothing for all of them. */
export function useScope(): [string | undefined, (environment: string) => void] {
  const [params, set] = useParams();
  const own = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, kept);
  const choose = (environment: string) => {
    localStorage.setItem(NAME, environment);
    listeners.forEach((listener) => listener());
    set({ env: environment || undefined }, { replace: true });
  };
  return [params.env || own || undefined, choose];
}

/** The environments of the services that are registered. */
export function useEnvironments(): string[] {
  const may = useHindrance()('services', 'read') === undefined;
  const services = api.useQuery('get', '/api/v1/services', {}, { enabled: may, refetchInterval: 30_000 }).data ?? [];
  return [...new Set(services.map((one) => one.environment))].sort();
}
