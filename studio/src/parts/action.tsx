// A button that changes something: it knows who may, asks only before it destroys, says how far it is, says what it did as a
// command line, and lets a refusal explain itself.
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { queries } from '@/api/client';
import { type Level, useHindrance } from '@/api/session';
import { Confirm } from './confirm';
import { letGo } from './still';
import { type Progress, Working } from './working';
import { say, sayRefused } from './toast';

interface Props {
  label: string;
  /** The noun and level of the scope it needs. */
  noun: string;
  level: Level;
  cli: string;
  /** Bulk work tells how far it is. */
  run: (tell: (progress: Progress) => void) => Promise<unknown>;
  /** What is said when it is done. */
  done: string | ((answer: unknown) => string);
  kind?: 'primary' | 'danger' | 'plain';
  /** The effect in a sentence, for what destroys: it is then asked for once more. */
  confirm?: string;
  /** What must be typed before it can be done, for what cannot be undone. */
  typed?: string;
  icon?: ReactNode;
  disabled?: boolean;
  after?: (answer: unknown) => void;
}

export function Action({ label, noun, level, cli, run, done, kind, confirm, typed, icon, disabled, after }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [progress, setProgress] = useState<Progress>();
  const hindrance = useHindrance()(noun, level);
  const action = useMutation({
    mutationFn: () => run(setProgress),
    onSuccess: (answer) => {
      say(typeof done === 'function' ? done(answer) : done, cli);
      after?.(answer);
    },
    onError: (error) => sayRefused(label, error, cli),
    onSettled: () => {
      setProgress(undefined);
      letGo();
      return queries.invalidateQueries();
    },
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
        {action.isPending ? <Working progress={progress} /> : <>{icon}{label}</>}
      </button>
      {confirm && <Confirm ref={dialog} label={label} effect={confirm} typed={typed} cli={cli} kind={kind} go={go} />}
    </>
  );
}
