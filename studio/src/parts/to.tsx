// A link within the Studio that costs next to nothing to draw: a table has hundreds of them in sight.
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

export function To({ to, search, children }: { to: string; search: Record<string, string>; children: ReactNode }) {
  const router = useRouter();
  const go = (event: MouseEvent) => {
    event.stopPropagation();
    // With a modifier it is the browser's: a new tab, a window, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to, search: search as never });
  };
  return (
    <a href={`${to}?${new URLSearchParams(search).toString()}`} onClick={go}>
      {children}
    </a>
  );
}
