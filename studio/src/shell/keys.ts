// Keys that work everywhere: `/` and Ctrl K find, `?` helps, `g` and a letter go, `p` freezes.
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isPaused, setPaused } from '@/api/pause';
import { pages } from '@/pages/all';

const TOGETHER_MS = 1_200;

export function useKeys(find: () => void, help: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    // Time is counted from when the page was opened, so that nothing but a `g` may stand for one.
    let gone: number | undefined;
    const key = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return find();
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || document.querySelector('dialog[open]')) return;
      const together = gone !== undefined && event.timeStamp - gone < TOGETHER_MS;
      gone = undefined;
      const page = together && pages.find((one) => one.letter === event.key);
      if (page) {
        event.preventDefault();
        void navigate({ to: page.path });
      } else if (event.key === 'g') gone = event.timeStamp;
      else if (event.key === '/') {
        event.preventDefault();
        find();
      } else if (event.key === '?') help();
      else if (event.key === 'p') setPaused(!isPaused());
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [navigate, find, help]);
}
