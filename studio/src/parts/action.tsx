// A button that changes something: it knows who may, asks only before it destroys, says what it did as a command line, and
// lets a refusal explain itself.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { queries } from '@/api/client';
import { type Level, useHindrance } from '@/api/session';
import { Cli } from './copy';
import { say, sayRefused } from './toast';

interface Props {
  label: string;
  /** The noun and level of the scope it needs. */
  noun: string;
  level: Level;
  cli: string;
  run: () => Promise<unknown>;
  /** What is said when it is done. */
  done: string | ((answer: unknown) => string);
  kind?: 'primary' | 'danger' | 'plain';
  /** The effect in a sentence, for what destroys: it is then asked for once more. */
  confirm?: string;
  icon?: ReactNode;
  disabled?: boolean;
  after?: (answer: unknown) => void;
}

export function Action({ label, noun, level, cli, run, done, kind, confirm, icon, disabled, after }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hindrance = useHindrance()(noun, level);
  const action = useMutation({
    mutationFn: run,
    onSuccess: (answer) => {
      say(typeof done === 'function' ? done(answer) : done, cli);
      after?.(answer);
    },
    onError: (error) => sayRefused(label, error, cli),
    onSettled: () => queries.invalidateQueries(),
  });
  const go = () => {
    dialog.current?.close();
    action.mutate();
  };
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind={kind}
        disabled={disabled || action.isPending || hindrance !== undefined}
        title={hindrance}
        onClick={confirm ? () => dialog.current?.showModal() : go}
      >
        {icon}
        {action.isPending ? 'Working…' : label}
      </button>
      {confirm && (
        <dialog ref={dialog} className="sheet" aria-label={label}>
          <div className="sheet-body stack">
            <h2>{label}?</h2>
            <p className="foreign">{confirm}</p>
            <Cli line={cli} />
            <div className="row">
              <button type="button" className="button" data-kind={kind ?? 'danger'} onClick={go}>
                {label}
              </button>
              <button type="button" className="button" data-kind="plain" onClick={() => dialog.current?.close()}>
                Keep as it is
              </button>
            </div>
          </div>
        </dialog>
      )}
    </>
  );
}
