// Copies a text, and says whether it did.
import { useState } from 'react';
import { COPY } from './shapes';

/** A browser may have no clipboard for us, or not give it. */
const put = (text: string): Promise<boolean> => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? Promise.resolve(false);

export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState<boolean>();
  const copy = async () => {
    setDone(await put(text));
    setTimeout(() => setDone(undefined), 1200);
  };
  const says = done === undefined ? `Copy ${what}` : done ? 'Copied' : 'This browser does not let the page copy';
  return (
    <button
      type="button"
      className="copy"
      aria-label={says}
      title={done === false ? says : undefined}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {done === undefined ? COPY.ready : done ? COPY.done : COPY.refused}
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
