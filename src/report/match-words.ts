import type { MatchCounts } from '../journal/index.ts';
import { count, counted } from './figures.ts';

/** How the rows of a retry's input add up, and what of the runs before it is not among them; nothing for other runs. */
export function matchLines({
  matched,
  selection,
}: {
  readonly matched?: MatchCounts | undefined;
  readonly selection: { readonly kind: string; readonly from?: string };
}): readonly string[] {
  if (matched === undefined) return [];
  const { input, taken, added, done, changed, filtered, missing, removed, gone } = matched;
  const file = selection.from === undefined ? 'the input' : 'the corrected file';
  const parts = [
    `${count(taken)} taken${added === 0 ? '' : ` (${count(added)} of them new)`}`,
    `${count(done)} done before`,
    ...(changed === 0 ? [] : [`${count(changed)} done before and changed since`]),
    ...(filtered === 0 ? [] : [`${count(filtered)} filtered`]),
  ];
  return [
    `${counted(input, 'row')} in ${file}: ${parts.join(', ')}.`,
    ...(missing === 0
      ? []
      : [`${counted(missing, 'open row')} ${missing === 1 ? 'is' : 'are'} no longer in ${file}.`]),
    ...(removed === 0
      ? []
      : [`${counted(removed, 'open row')} ${removed === 1 ? 'was' : 'were'} removed from ${file}.`]),
    ...(gone === 0
      ? []
      : [
          `${counted(gone, 'row')} done before ${gone === 1 ? 'is' : 'are'} no longer in ${file} as ${gone === 1 ? 'it was' : 'they were'}.`,
        ]),
  ];
}

/** Rows that a retry leaves for somebody to look at, beside those that it took. */
export function leftByMatch(matched: MatchCounts | undefined): number {
  return matched === undefined ? 0 : matched.missing + matched.changed;
}
