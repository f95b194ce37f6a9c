// A link within the Studio that costs next to nothing to draw: a table has hundreds of them in sight.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

type Words = Record<string, string>;

/** What says which thing of a page is open; the rest of an address says how its list is filtered. */
const OPEN: Record<string, string[]> = { '/tasks': ['id', 'node'], '/workflows': ['id', 'run'], '/messages': ['agent', 'thread', 'message'], '/services': ['id', 'new', 'task', 'find'], '/events': ['event', 'stream', 'service', 'tab'] };

/** On its own page a link opens another thing, and the list stays as it is filtered. */
function within(to: string, search: Words, here: { pathname: string; search: unknown }): Words {
  if (here.pathname !== to) return search;
  const open = OPEN[to] ?? ['id'];
  return { ...Object.fromEntries(Object.entries(here.search as Words).filter(([name]) => !open.includes(name))), ...search };
}

export function To({ to, search, children }: { to: string; search: Words; children: ReactNode }) {
  const router = useRouter();
  const whole = () => within(to, search, router.state.location);
  const go = (event: MouseEvent) => {
    event.stopPropagation();
    // With a modifier it is the browser's: a new tab, a window, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to, search: whole() as never });
  };
  return (
    <a href={`${to}?${new URLSearchParams(whole()).toString()}`} onClick={go}>
      {children}
    </a>
  );
}
