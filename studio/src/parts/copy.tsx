// Copies a text, and says that it did.
import { Check, Copy as Icon } from 'lucide-react';
import { useState } from 'react';

export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1200);
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={done ? 'Copied' : `Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {done ? <Check size={13} /> : <Icon size={13} />}
    </button>
  );
}

/** A command line with its button. */
export function Cli({ line }: { line: string }) {
  return (
    <div className="cli">
      <code>{line}</code>
      <Copy text={line} what="command" />
    </div>
  );
}
