import type { Problem } from '../model/problem.ts';
import type { JournalFile } from './open.ts';
import { type RowRecord, readRow, type StoredRow } from './row-record.ts';

/** Which item numbers a run has outcomes for: how many, the least and the greatest (null where there are none). */
export interface RowSpan {
  readonly count: number;
  readonly least: number | null;
  readonly greatest: number | null;
}

export function rowSpan(file: JournalFile, run: number): RowSpan {
  const span = file
    .prepare<[number], RowSpan>(
      'SELECT count(*) AS count, min(seq) AS least, max(seq) AS greatest FROM row WHERE run = ?',
    )
    .get(run);
  return span ?? { count: 0, least: null, greatest: null };
}

// The condition of the index row_outcome, word for word: SQLite uses a partial index only where it stands in the query.
// It is named, because without it every page would scan all rows up to the end for the few that failed.
const indexed = "outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')";

/** Rejected and failed rows after item `after`, in the input's order, at most `limit`: a page, so that nobody else waits. */
export function rejectsAfter(file: JournalFile, run: number, after: number, limit: number): RowRecord[] {
  const one = (outcome: 'rejected' | 'failed') =>
    `SELECT seq, line, outcome, key, contact, problems, cells, raw, hash FROM row INDEXED BY row_outcome WHERE run = :run AND outcome = '${outcome}' AND ${indexed} AND seq > :after`;
  return file
    .prepare<{ run: number; after: number; limit: number }, StoredRow>(
      `${one('rejected')} UNION ALL ${one('failed')} ORDER BY seq LIMIT :limit`,
    )
    .all({ run, after, limit })
    .map(readRow);
}

/** What is known against a row, without its cells. */
export interface RowProblems {
  readonly line: number;
  readonly key: string | null;
  readonly outcome: RowRecord['outcome'];
  readonly problems: readonly Problem[];
}

/** The rows among the items [from, to) that have problems, whatever became of them. */
export function problemsBetween(file: JournalFile, run: number, from: number, to: number): RowProblems[] {
  return file
    .prepare<[number, number, number], Pick<StoredRow, 'line' | 'key' | 'outcome'> & { problems: string }>(
      `SELECT line, key, outcome, problems FROM row
       WHERE run = ? AND seq >= ? AND seq < ? AND problems IS NOT NULL ORDER BY seq`,
    )
    .all(run, from, to)
    .map((row) => ({ ...row, problems: JSON.parse(row.problems) }));
}

/** The base URL of a workspace, or `sandbox:<id>`; undefined where the journal does not know its number. */
export function workspacePlace(file: JournalFile, workspace: number): string | undefined {
  return file
    .prepare<[number], { place: string }>('SELECT place FROM workspace WHERE number = ?')
    .get(workspace)?.place;
}

/**
 * How many steps of a run were sent in each stretch of `width` ms, counted from `from`; empty stretches are left out, and
 * so is what an earlier run sent and this one only names.
 */
export function sentSteps(
  file: JournalFile,
  run: number,
  from: number,
  width: number,
): { stretch: number; n: number }[] {
  return file
    .prepare<[number, number, number, number], { stretch: number; n: number }>(
      `SELECT CAST((sent_at - ?) / ? AS INTEGER) AS stretch, count(*) AS n FROM step
       WHERE run = ? AND sent_at >= ? GROUP BY stretch ORDER BY stretch`,
    )
    .all(from, width, run, from);
}

/** A step of which nobody knows whether it took effect, with its row where that has an outcome. */
export interface UncertainStep {
  readonly seq: number;
  readonly name: string;
  readonly item: string;
  readonly intent: unknown;
  readonly sentAt: number | null;
  readonly line: number | null;
  readonly key: string | null;
  readonly contact: number | null;
}

/** Uncertain steps after (seq, name, item), in order, at most `limit`. */
export function uncertainAfter(
  file: JournalFile,
  run: number,
  after: Pick<UncertainStep, 'seq' | 'name' | 'item'>,
  limit: number,
): readonly UncertainStep[] {
  return file
    .prepare<[number, number, string, string, number], UncertainStep & { intent: string }>(
      `SELECT step.seq, step.name, step.item, step.intent, step.sent_at AS sentAt, row.line, row.key, row.contact
       FROM step INDEXED BY step_uncertain LEFT JOIN row ON row.run = step.run AND row.seq = step.seq
       WHERE step.run = ? AND step.state = 'uncertain' AND (step.seq, step.name, step.item) > (?, ?, ?)
       ORDER BY step.seq, step.name, step.item LIMIT ?`,
    )
    .all(run, after.seq, after.name, after.item, limit)
    .map((step) => ({ ...step, intent: JSON.parse(step.intent) }));
}
