// Asked once more before something is destroyed: the thing, the effect, and the command line. What cannot be undone is
// confirmed by typing its name.
import { type Ref, useState } from 'react';
import { Cli } from './copy';

interface Props {
  ref: Ref<HTMLDialogElement>;
  label: string;
  effect: string;
  typed?: string;
  cli: string;
  kind?: string;
  go: () => void;
}

export function Confirm({ ref, label, effect, typed, cli, kind, go }: Props) {
  const [text, setText] = useState('');
  const ready = typed === undefined || text === typed;
  return (
    <dialog ref={ref} className="sheet" aria-label={label} onClose={() => setText('')}>
      <form
        className="sheet-body stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) go();
        }}
      >
        <h2>{label}?</h2>
        <p className="foreign">{effect}</p>
        {typed !== undefined && (
          <label className="label">
            <span>Type <code className="foreign">{typed}</code> to go on</span>
            <input className="field mono" autoComplete="off" spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
          </label>
        )}
        <Cli line={cli} />
        <div className="row">
          <button type="submit" className="button" data-kind={kind ?? 'danger'} disabled={!ready}>
            {label}
          </button>
          <button type="button" className="button" data-kind="plain" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            Keep as it is
          </button>
        </div>
      </form>
    </dialog>
  );
}
