import type { ValueCount } from './problem.ts';
import { formatRowPlace, type NormalisedRowPlace } from './row-place.ts';

/**
 * One group of data that an import leaves behind: its count, an example, the file that lists all of it, and what to
 * change.
 */
export interface LeftBehindGroup {
  /** Its name, for programs. */
  readonly kind: string;
  /** The heading of the group, worded the same in every list and report: `Phones left out`. */
  readonly title: string;
  /** The number of rows, values or columns that the title is about. */
  readonly n: number;
  /**
   * The place of the first row that the group concerns, and a text that names the column and the problem; null if it
   * concerns no row.
   */
  readonly example: (NormalisedRowPlace & { readonly text: string }) | null;
  /** Owners, stages, tags, fields, columns and codes with how many rows have them, the most frequent first. */
  readonly values: readonly ValueCount[];
  /** The file of the run that lists all rows, values or columns of the group; null if no file does. */
  readonly file: string | null;
  /** What the user can change so that the data of the group is imported. */
  readonly fix: string;
  /** `workspace` if only the workspace can tell which of them are really left behind; otherwise `now`. */
  readonly known: 'now' | 'workspace';
}

/** The heading of the list of groups, wherever it is shown. */
export const leftBehindTitle = 'What this import leaves behind';

const mostShown = 5;

/** Returns the title of a group with its count: `Phones left out: 12`. */
export function formatLeftBehindTitle({ title, n, known }: LeftBehindGroup): string {
  return `${title}: ${figure(n)}${known === 'workspace' ? ' (known with the workspace)' : ''}`;
}

/** Returns two lines at most: the most frequent values, and the example. */
export function formatLeftBehindDetails({ values, example }: LeftBehindGroup): readonly string[] {
  const named = values.slice(0, mostShown).map(({ value, n }) => (n > 1 ? `${value} (${figure(n)})` : value));
  const rest = values.length - named.length;
  return [
    ...(named.length === 0 ? [] : [`${named.join(', ')}${rest === 0 ? '' : ` and ${figure(rest)} more`}`]),
    ...(example === null
      ? []
      : [[formatRowPlace(example), example.text].filter((part) => part !== '').join(': ')]),
  ];
}

/** Returns the fix, after a sentence that names the file with the whole list, if there is one. */
export function formatLeftBehindFix({ file, fix }: LeftBehindGroup): string {
  return file === null ? fix : `Listed in ${file} of the run. ${fix}`;
}

function figure(n: number): string {
  return n.toLocaleString('en-US');
}
