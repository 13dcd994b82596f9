import { formatNameList } from '../../model/listed.ts';
import { formatDidYouMean } from '../../model/nearest.ts';

/** Returns the end of a message about an unknown name: the nearest existing name, else a list of the existing ones. */
export function formatNameSuggestion(name: string, there: readonly string[]): string {
  const meant = formatDidYouMean(name, there);
  if (meant !== '') return meant;
  return there.length === 0
    ? '; it has none'
    : `; it has ${formatNameList(there.map((each) => JSON.stringify(each)))}`;
}

/**
 * Returns a clause if the workspace has no closing note named `category`; undefined if it has one, or if its notes
 * are unknown.
 */
export function checkClosingNote(
  category: string | undefined,
  closingNotes: readonly string[] | undefined,
): string | undefined {
  if (category === undefined || !closingNotes || closingNotes.includes(category)) return undefined;
  const instead = formatNameSuggestion(category, closingNotes);
  return `the workspace has no closing note ${JSON.stringify(category)}${instead}`;
}
