// A sheet over the page, with the browser's own focus and Esc.
import { type ReactNode, useEffect, useRef } from 'react';

export function Sheet({ label, onClose, children, palette }: { label: string; onClose: () => void; children: ReactNode; palette?: boolean }) {
  const own = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    own.current?.showModal();
  }, []);
  return (
    <dialog
      ref={own}
      className={palette ? 'sheet palette' : 'sheet'}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === own.current && onClose()}
    >
      {children}
    </dialog>
  );
}
