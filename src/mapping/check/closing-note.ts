import { insteadOf } from './listed.ts';

/** Why a conversation cannot be closed with a category, or undefined where it can be or nobody knows. */
export function closingNoteMistake(
  category: string | undefined,
  closingNotes: readonly string[] | undefined,
): string | undefined {
  if (category === undefined || !closingNotes || closingNotes.includes(category)) return undefined;
  const instead = insteadOf(category, closingNotes);
  return `the workspace has no closing note ${JSON.stringify(category)}${instead}`;
}
