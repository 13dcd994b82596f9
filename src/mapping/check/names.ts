import { listed } from '../../model/listed.ts';
import { didYouMean } from '../../model/nearest.ts';

/** What there is in place of a name that is not there: the nearest one, else all of them. */
export function insteadOf(name: string, there: readonly string[]): string {
  const meant = didYouMean(name, there);
  if (meant !== '') return meant;
  return there.length === 0
    ? '; it has none'
    : `; it has ${listed(there.map((each) => JSON.stringify(each)))}`;
}

/** Why a conversation cannot be closed with a category, or undefined where it can be or nobody knows. */
export function closingNoteMistake(
  category: string | undefined,
  closingNotes: readonly string[] | undefined,
): string | undefined {
  if (category === undefined || !closingNotes || closingNotes.includes(category)) return undefined;
  const instead = insteadOf(category, closingNotes);
  return `the workspace has no closing note ${JSON.stringify(category)}${instead}`;
}
