// Details at the right, so that the list keeps its place. Esc closes it.
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

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
  useEffect(() => {
    own.current?.focus();
  }, [label]);
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

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack" style={{ gap: 8 }}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
