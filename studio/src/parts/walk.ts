// Walking a table by keys. A page may have several tables: the keys are for the one that was touched last, else for the first.
import { type RefObject, useEffect, useRef } from 'react';

const tables: HTMLElement[] = [];
let touched: HTMLElement | undefined;

/** The first is the one that stands first on the page, whichever was drawn first. */
const isAfter = (one: HTMLElement, other: HTMLElement) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;

const chosen = () => (touched && tables.includes(touched) ? touched : tables.find((one) => !tables.some((other) => isAfter(one, other))));
/** What has a use for the keys of its own. */
const OWN = /^(INPUT|TEXTAREA|SELECT)$/;

interface Walk {
  length: number;
  cursor: number;
  go: (at: number) => void;
  open: (at: number) => void;
}

/** j and k walk, so do the arrows in a table that has the focus, and Enter opens. */
export function useWalk(place: RefObject<HTMLElement | null>, walk: Walk): void {
  const now = useRef(walk);
  useEffect(() => {
    now.current = walk;
  });
  useEffect(() => {
    const own = place.current;
    if (!own) return;
    const key = (event: KeyboardEvent) => own === chosen() && press(event, own, now.current);
    const touch = () => (touched = own);
    tables.push(own);
    own.addEventListener('pointerdown', touch);
    own.addEventListener('focusin', touch);
    window.addEventListener('keydown', key);
    return () => {
      tables.splice(tables.indexOf(own), 1);
      own.removeEventListener('pointerdown', touch);
      own.removeEventListener('focusin', touch);
      window.removeEventListener('keydown', key);
    };
  }, [place]);
}

function press(event: KeyboardEvent, own: HTMLElement, { length, cursor, go, open }: Walk): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || OWN.test(target.tagName) || document.querySelector('dialog[open]')) return;
  const step = steps(event.key, target === own);
  if (step !== 0 && length > 0) {
    event.preventDefault();
    go(Math.min(Math.max(cursor + step, 0), length - 1));
  } else if (event.key === 'Enter' && cursor >= 0 && cursor < length && !/^(A|BUTTON)$/.test(target.tagName)) {
    open(cursor);
  }
}

function steps(key: string, focused: boolean): number {
  if (key === 'j' || (focused && key === 'ArrowDown')) return 1;
  return key === 'k' || (focused && key === 'ArrowUp') ? -1 : 0;
}
