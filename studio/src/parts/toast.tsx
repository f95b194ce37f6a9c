// What an action did, or why it did not, with the command line that does the same.
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { asProblem } from '@/api/problem';
import { Cli } from './copy';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  title: string;
  detail?: string;
  next?: string;
  cli?: string;
}

let toasts: Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(all: Toast[]) {
  toasts = all.slice(-3);
  listeners.forEach((listener) => listener());
}

const drop = (id: number) => set(toasts.filter((toast) => toast.id !== id));

export function say(title: string, cli?: string): void {
  const id = ++last;
  set([...toasts, { id, tone: 'ok', title, cli }]);
  setTimeout(() => drop(id), 9_000);
}

/** A refusal stays until it is read: its reason, who is in the way, and the way out. */
export function sayRefused(what: string, error: unknown, cli?: string): void {
  const problem = asProblem(error);
  const way = problem.in_the_way ? ` In the way: ${problem.in_the_way}.` : '';
  set([...toasts, { id: ++last, tone: 'bad', title: `${what}: not done (${problem.code})`, detail: problem.detail + way, next: problem.next, cli }]);
}

export function Toasts() {
  const all = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map((toast) => (
        <div key={toast.id} className="toast" data-tone={toast.tone}>
          <div className="row">
            <strong className="grow foreign">{toast.title}</strong>
            <button type="button" className="button" data-kind="plain" aria-label="Dismiss" onClick={() => drop(toast.id)}>
              <X size={14} />
            </button>
          </div>
          {toast.detail && <p className="foreign">{toast.detail}</p>}
          {toast.next && <p className="foreign soft">What to do: {toast.next}</p>}
          {toast.cli && <Cli line={toast.cli} />}
        </div>
      ))}
    </div>
  );
}
