import type { RowPlace } from './row-place.ts';

/** A problem of a row or a cell: a value, never thrown. */
export interface Problem {
  /** `<field>.<problem>`, as `email.invalid` or `customFields.Plan.notAllowed`. */
  readonly code: string;
  /** The input column that causes it; null if there is none. */
  readonly column: string | null;
  /** A sentence for the user: what is wrong, and what would be right. */
  readonly reason: string;
}

/** Codes of notes on a value that is valid and was sent: how it was read or sent, or that it is a default. */
export const noteOnlyCodes: ReadonlySet<string> = new Set([
  'phone.countryAssumed',
  'firstName.default',
  'comments.split',
]);

/** Returns true if a problem is only a note on a value that is valid and was sent. */
export function isNoteOnly({ code }: Pick<Problem, 'code'>): boolean {
  return noteOnlyCodes.has(code);
}

/** How often a problem was found, and the first few rows that have it. */
export interface ProblemCount {
  readonly code: string;
  readonly n: number;
  readonly examples: readonly (RowPlace & { readonly column: string | null; readonly reason: string })[];
  /** The values in the problem's column, the most frequent first; absent where they were not counted. */
  readonly values?: readonly ValueCount[];
}

/** How many rows have a value. */
export interface ValueCount {
  /** The value as it is in the row. */
  readonly value: string;
  /** How many rows. */
  readonly n: number;
}
