import type { JournalDatabase } from '../../../journal/index.ts';
import { numberColumn } from '../../../storage/columns.ts';
import { selectOne } from '../../../storage/sql.ts';

/** Counts of people found more than once, in the input and in the workspace. */
export interface DuplicateCounts {
  /** Rows that were merged into another row of the input. */
  readonly rows: number;
  /** The number of people whom these rows describe. */
  readonly people: number;
  /** Proposed merges. */
  readonly proposals: number;
  /** The number of contacts in the workspace that the proposed merges are about. */
  readonly contacts: number;
}

/** Returns the numbers of duplicates that a run found. */
export function countDuplicates(file: JournalDatabase, run: number): DuplicateCounts {
  const folded = selectOne(file, { n: numberColumn, people: numberColumn })`
    SELECT count(*) AS n, count(DISTINCT coalesce(identifier, contact, key)) AS people FROM row INDEXED BY row_outcome
    WHERE run = ${run} AND outcome = 'folded'
      AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')`;
  const proposed = selectOne(file, { n: numberColumn, contacts: numberColumn })`
    SELECT (SELECT count(*) FROM proposal WHERE run = ${run}) AS n, count(*) AS contacts FROM (
      SELECT older FROM proposal WHERE run = ${run} UNION SELECT newer FROM proposal WHERE run = ${run})`;
  return {
    rows: folded?.n ?? 0,
    people: folded?.people ?? 0,
    proposals: proposed?.n ?? 0,
    contacts: proposed?.contacts ?? 0,
  };
}
