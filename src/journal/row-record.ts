import type { Outcome } from '../model/outcome.ts';
import type { Problem } from '../model/problem.ts';
import type { JournalFile } from './open.ts';

/** How a row ended, as the journal keeps it. */
export interface RowRecord {
  readonly seq: number;
  readonly line: number;
  readonly outcome: Outcome;
  readonly key: string | null;
  readonly contact: number | null;
  /** `email:…` or `phone:…` of the person whose row it is; absent where nobody came of it. */
  readonly identifier?: string | undefined;
  readonly problems: readonly Problem[];
  /** The row's cells, kept where a person has to look at the row again. */
  readonly cells: readonly (readonly [string, string | null])[] | null;
  readonly raw: string | null;
  /** Of its content; null for a filtered row, and where an older version of the journal kept none. */
  readonly hash: string | null;
}

/** A row as it lies in the table. */
export interface StoredRow {
  seq: number;
  line: number;
  outcome: Outcome;
  key: string | null;
  contact: number | null;
  problems: string | null;
  cells: string | null;
  raw: string | null;
  hash: string | null;
}

/** Returns the write that records how a row ended. */
export function rowWriter(file: JournalFile, run: number): (row: RowRecord) => void {
  const insert = file.prepare(
    'INSERT OR REPLACE INTO row (run, seq, line, outcome, key, contact, problems, cells, raw, hash, identifier) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return (row) =>
    void insert.run(
      run,
      row.seq,
      row.line,
      row.outcome,
      row.key,
      row.contact,
      row.problems.length === 0 ? null : JSON.stringify(row.problems),
      row.cells === null ? null : JSON.stringify(row.cells),
      row.raw,
      row.hash,
      row.identifier ?? null,
    );
}

/** The number of the first item that has no outcome yet. */
export function firstOpen(file: JournalFile, run: number): number {
  const gap = file
    .prepare<[number], { n: number }>(
      `SELECT n FROM (SELECT seq, row_number() OVER (ORDER BY seq) - 1 AS n FROM row WHERE run = ? AND seq >= 0)
       WHERE seq <> n LIMIT 1`,
    )
    .get(run);
  if (gap !== undefined) return gap.n;
  return (
    file.prepare<[number], { n: number }>('SELECT count(*) AS n FROM row WHERE run = ? AND seq >= 0').get(run)
      ?.n ?? 0
  );
}

/** Which items of [from, to) have an outcome. */
export function finishedBetween(file: JournalFile, run: number, from: number, to: number): Set<number> {
  const rows = file
    .prepare<[number, number, number], { seq: number }>(
      'SELECT seq FROM row WHERE run = ? AND seq >= ? AND seq < ?',
    )
    .all(run, from, to);
  return new Set(rows.map((row) => row.seq));
}

/** How the items of [from, to) ended that have an outcome, in the input's order. */
export function outcomesBetween(
  file: JournalFile,
  run: number,
  from: number,
  to: number,
): Pick<RowRecord, 'seq' | 'outcome'>[] {
  return file
    .prepare<[number, number, number], Pick<RowRecord, 'seq' | 'outcome'>>(
      'SELECT seq, outcome FROM row WHERE run = ? AND seq >= ? AND seq < ? ORDER BY seq',
    )
    .all(run, from, to);
}

/** A row as it is stored, read. */
export function readRow(row: StoredRow): RowRecord {
  return {
    ...row,
    problems: row.problems === null ? [] : JSON.parse(row.problems),
    cells: row.cells === null ? null : JSON.parse(row.cells),
  };
}

/** How often each problem code occurs among the rows with one of these outcomes. */
export function countProblems(
  file: JournalFile,
  run: number,
): { outcome: Outcome; code: string; n: number }[] {
  return file
    .prepare<[number], { outcome: Outcome; code: string; n: number }>(
      `SELECT row.outcome AS outcome, json_extract(problem.value, '$.code') AS code, count(*) AS n
       FROM row, json_each(row.problems) AS problem
       WHERE row.run = ? AND row.problems IS NOT NULL
       GROUP BY 1, 2 ORDER BY n DESC, code`,
    )
    .all(run);
}
