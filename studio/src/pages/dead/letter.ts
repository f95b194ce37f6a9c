// The types of the page.
import type { paths } from '@/api/schema';

export type Letter = paths['/api/v1/dead/{id}']['get']['responses'][200]['content']['application/json'];
export type Replayed = paths['/api/v1/dead/replay']['post']['responses'][200]['content']['application/json'];

/** What became of a replay, in a sentence. */
export function toldReplay(answer: unknown): string {
  const { replayed, refused, canary, held_back } = answer as Replayed;
  const parts = [`${replayed.length} replayed`];
  if (refused.length > 0) parts.push(`${refused.length} refused (${refused[0]?.code})`);
  if (canary) parts.push(`the first one ${canary}`);
  if (held_back) parts.push(`${held_back} held back`);
  return parts.join(', ');
}
