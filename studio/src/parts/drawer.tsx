// Details at the right, so that the list keeps its place. Esc closes it.
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface Props {
  title: ReactNode;
  label: string;
  onClose: () => void;
  actions?: ReactNode;
  /** For graphs. */
  wide?: boolean;
  children: ReactNode;
}

export function Drawer({ title, label, onClose, actions, wide, children }: Props) {
  const own = useRef<HTMLElement>(null);
  useFocus(own, label);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) onClose();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [onClose]);
  return (
    <aside className="drawer" data-wide={wide} aria-label={label} tabIndex={-1} ref={own}>
      <div className="drawer-head">
        <div className="stack grow" style={{ gap: 8 }}>
          <div className="row">{title}</div>
          {actions && <div className="row">{actions}</div>}
        </div>
        <button type="button" className="button" data-kind="plain" aria-label="Close" onClick={onClose}>
          <X size={16} />
        </button>
      </div>
      <div className="drawer-body">{children}</div>
    </aside>
  );
}

/** The drawer has the focus while it is open, and gives it back to where it was, if that is still there. */
function useFocus(own: RefObject<HTMLElement | null>, label: string): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    own.current?.focus();
  }, [own, label]);
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack" style={{ gap: 8 }}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
