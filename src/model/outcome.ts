/** The outcomes of a row; every row that a run reaches ends as exactly one of these. */
export const outcomes = [
  'created',
  'updated',
  'merged',
  'folded',
  'unchanged',
  'skipped',
  'filtered',
  'proposed',
  'stale',
  'rejected',
  'failed',
  'uncertain',
] as const;

export type Outcome = (typeof outcomes)[number];

/** The number of rows by outcome; `read` is the sum of all outcomes and `notReached`. */
export type RowCounts = { readonly [O in Outcome]: number } & {
  readonly read: number;
  readonly notReached: number;
};
