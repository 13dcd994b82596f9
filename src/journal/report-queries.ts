import { nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { select, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import {
  cellsColumn,
  outcomeColumn,
  problemsColumn,
  type RowRecord,
  rowColumns,
  toProblemCodePattern,
  toRowRecord,
} from './row-record.ts';
import { stepColumns } from './step-record.ts';

/**
 * The items of a run that have an outcome: their count, and the lowest and the highest item number (null if there are
 * none).
 */
export interface FinishedRowRange {
  readonly count: number;
  readonly least: number | null;
  readonly greatest: number | null;
}

const rowSpanColumns = {
  count: numberColumn,
  least: nullableColumn(numberColumn),
  greatest: nullableColumn(numberColumn),
};

export function readFinishedRowRange(file: JournalDatabase, run: number): FinishedRowRange {
  const span = selectOne(file, rowSpanColumns)`
    SELECT count(*) AS count, min(seq) AS least, max(seq) AS greatest FROM row WHERE run = ${run}`;
  return span ?? { count: 0, least: null, greatest: null };
}

/**
 * Returns the rejected and failed rows of a run after item `after`, except forgotten ones, in order, at most `limit`.
 */
export function listRejects(file: JournalDatabase, run: number, after: number, limit: number): RowRecord[] {
  // SQLite uses the partial index row_outcome only for a query that repeats its condition word for word.
  // INDEXED BY enforces the use of the index: without it, each page would scan all remaining rows for the few that
  // failed.
  const found = select(file, rowColumns)`
    SELECT seq, line, sheet, outcome, key, contact, problems, cells, raw, hash FROM row INDEXED BY row_outcome
    WHERE run = ${run} AND outcome = 'rejected' AND seq > ${after} AND forgotten = 0
      AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')
    UNION ALL
    SELECT seq, line, sheet, outcome, key, contact, problems, cells, raw, hash FROM row INDEXED BY row_outcome
    WHERE run = ${run} AND outcome = 'failed' AND seq > ${after} AND forgotten = 0
      AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')
    ORDER BY seq LIMIT ${limit}`;
  return found.map(toRowRecord);
}

/** A row with its problems, without its cells. */
export type RowWithProblems = Pick<RowRecord, 'seq' | 'line' | 'sheet' | 'key' | 'outcome' | 'problems'>;

const rowProblems = {
  seq: numberColumn,
  line: numberColumn,
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  outcome: outcomeColumn,
  problems: problemsColumn,
};

/** Returns the rows with problems among the items [from, to), whatever their outcome, in order. */
export function listRowsWithProblems(
  file: JournalDatabase,
  run: number,
  from: number,
  to: number,
): RowWithProblems[] {
  return select(file, rowProblems)`
    SELECT seq, line, sheet, key, outcome, problems FROM row
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to} AND problems IS NOT NULL ORDER BY seq`;
}

/**
 * Returns the rows after item `after` with a problem of that code, except forgotten ones, in order, at most `limit`.
 */
export function listRowsWithProblemCode(
  file: JournalDatabase,
  run: number,
  code: string,
  after: number,
  limit: number,
): RowWithProblems[] {
  return select(file, rowProblems)`
    SELECT seq, line, sheet, key, outcome, problems FROM row
    WHERE run = ${run} AND seq > ${after} AND forgotten = 0 AND problems LIKE ${toProblemCodePattern(code)}
    ORDER BY seq LIMIT ${limit}`;
}

/** Returns the stored cells of a row; null if they are not stored. */
export function readStoredCells(file: JournalDatabase, run: number, seq: number): RowRecord['cells'] {
  const found = selectOne(file, { cells: cellsColumn })`
    SELECT cells FROM row WHERE run = ${run} AND seq = ${seq}`;
  return found?.cells ?? null;
}

/** Returns the place of the workspace with this number in the journal; undefined if it has no such workspace. */
export function findWorkspacePlace(file: JournalDatabase, workspace: number): string | undefined {
  return selectOne(file, { place: textColumn })`SELECT place FROM workspace WHERE number = ${workspace}`
    ?.place;
}

/**
 * Returns the number of steps of a run sent in each interval of `width` ms since `from` (ms since 1970), in order;
 * empty intervals and steps sent before `from` are left out.
 */
export function countSentStepsPerInterval(
  file: JournalDatabase,
  run: number,
  from: number,
  width: number,
): { stretch: number; n: number }[] {
  return select(file, { stretch: numberColumn, n: numberColumn })`
    SELECT CAST((sent_at - ${from}) / ${width} AS INTEGER) AS stretch, count(*) AS n FROM step
    WHERE run = ${run} AND sent_at >= ${from} GROUP BY stretch ORDER BY stretch`;
}

/** A step that may or may not have taken effect; the values of its row are null if the row has no outcome. */
export interface UncertainStep {
  readonly seq: number;
  readonly name: string;
  readonly item: string;
  readonly intent: unknown;
  readonly sentAt: number | null;
  readonly line: number | null;
  /** The row's sheet, where the input has several. */
  readonly sheet: string | null;
  readonly key: string | null;
  readonly contact: number | null;
  /** `email:…` or `phone:…` of the row's person. */
  readonly identifier: string | null;
}

const { seq, name, item, intent, sentAt } = stepColumns;
const uncertainStep = {
  ...{ seq, name, item, intent, sentAt },
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  identifier: nullableColumn(textColumn),
};

/**
 * Returns the uncertain steps of a run after (seq, name, item), except of forgotten rows, in order, at most `limit`.
 */
export function listUncertainSteps(
  file: JournalDatabase,
  run: number,
  after: Pick<UncertainStep, 'seq' | 'name' | 'item'>,
  limit: number,
): readonly UncertainStep[] {
  return select(file, uncertainStep)`
    SELECT step.seq, step.name, step.item, step.sent_at AS sentAt, row.line, row.sheet, row.key, row.contact,
      row.identifier, (SELECT intent FROM step_json AS sent
        WHERE (sent.run, sent.seq, sent.name, sent.item) = (step.run, step.seq, step.name, step.item)) AS intent
    FROM step INDEXED BY step_uncertain LEFT JOIN row ON row.run = step.run AND row.seq = step.seq
    WHERE step.run = ${run} AND step.state = 'uncertain' AND coalesce(row.forgotten, 0) = 0
      AND (step.seq, step.name, step.item) > (${after.seq}, ${after.name}, ${after.item})
    ORDER BY step.seq, step.name, step.item LIMIT ${limit}`;
}
