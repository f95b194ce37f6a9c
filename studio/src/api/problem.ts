// What went wrong, in one shape: a refusal of the plane, a fault of the server, or no answer at all.
import type { components } from './schema';

export type Problem = Partial<components['schemas']['Problem']> & {
  code: string;
  detail: string;
  status: number;
  in_the_way?: string;
};

export function asProblem(error: unknown): Problem {
  if (typeof error === 'object' && error !== null && 'code' in error && 'detail' in error) {
    const said = error as Problem;
    return { ...said, status: Number(said.status) || 0 };
  }
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: 'no_answer',
    status: 0,
    detail: `The server did not answer (${why}).`,
    next: 'Check that `quorate up` runs and that this machine reaches it; the page tries again by itself.',
  };
}
