import * as z from 'zod';
import { type Outcome, outcomes } from '../model/outcome.ts';
import type { Problem } from '../model/problem.ts';
import { normaliseRowPlace, type RowPlace } from '../model/row-place.ts';
import {
  type ColumnReader,
  enumColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../storage/columns.ts';
import { runSql, select, selectCount, selectOne, toJsonOrNull } from '../storage/sql.ts';
import { encodeFilledFieldFlags, type FilledFieldFlags } from './fill-record.ts';
import type { JournalDatabase } from './open.ts';
import type { RunRecord } from './run.ts';

/** The result of a row, as stored in the journal. */
export interface RowRecord extends RowPlace {
  readonly seq: number;
  readonly outcome: Outcome;
  readonly key: string | null;
  readonly contact: number | null;
  /** `email:…`, else `phone:…`, of the row's person; absent where none was recorded. */
  readonly identifier?: string | undefined;
  readonly problems: readonly Problem[];
  /** The row's cells by column; null unless the row needs manual action. */
  readonly cells: readonly (readonly [string, string | null])[] | null;
  readonly raw: string | null;
  /** The hash of the row's content; null for a filtered row, and where an older version of the journal stored none. */
  readonly hash: string | null;
  /** Which fields the row's contact had a value for; absent if it has no contact or the contact was not read. */
  readonly fill?: FilledFieldFlags | undefined;
}

const problem = z.object({ code: z.string(), column: z.string().nullable(), reason: z.string() });
const storedProblems = nullableColumn(jsonColumn(z.array(problem)));

/** Reads the problems of a row; an empty array for NULL. */
export const problemsColumn: ColumnReader<readonly Problem[]> = (value) => storedProblems(value) ?? [];

/** Reads the cells of a row as [column, cell]; null where they are not stored. */
export const cellsColumn = nullableColumn(jsonColumn(z.array(z.tuple([z.string(), z.string().nullable()]))));

/** Reads the outcome of a row. */
export const outcomeColumn = enumColumn(outcomes);

const rowPlace = { line: numberColumn, sheet: nullableColumn(textColumn) };

/** The readers of the columns that `toRowRecord` needs. */
export const rowColumns = {
  ...rowPlace,
  seq: numberColumn,
  outcome: outcomeColumn,
  key: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  problems: problemsColumn,
  cells: cellsColumn,
  raw: nullableColumn(textColumn),
  hash: nullableColumn(textColumn),
};

/** Records the result of a row. */
export function writeRow(file: JournalDatabase, run: number, record: RowRecord): void {
  const {
    seq,
    line,
    sheet = null,
    outcome,
    key,
    contact,
    problems,
    raw,
    hash,
    identifier = null,
    fill,
  } = record;
  const [found, cells] = [problems.length === 0 ? null : toJsonOrNull(problems), toJsonOrNull(record.cells)];
  runSql(file)`
    INSERT INTO row (run, seq, line, sheet, outcome, key, contact, problems, cells, raw, hash, identifier, fill)
    VALUES (${run}, ${seq}, ${line}, ${sheet}, ${outcome}, ${key}, ${contact}, ${found}, ${cells}, ${raw}, ${hash},
      ${identifier}, ${fill === undefined ? null : encodeFilledFieldFlags(fill)})
    ON CONFLICT (run, seq) DO UPDATE SET line = excluded.line, sheet = excluded.sheet, outcome = excluded.outcome,
      key = excluded.key, contact = excluded.contact, problems = excluded.problems, cells = excluded.cells,
      raw = excluded.raw, hash = excluded.hash, identifier = excluded.identifier, fill = excluded.fill, forgotten = 0`;
}

/** Returns the number of the first item (from 0) that has no outcome yet. */
export function readFirstUnfinishedItemNumber(file: JournalDatabase, run: number): number {
  const gap = selectOne(file, { n: numberColumn })`
    SELECT n FROM (SELECT seq, row_number() OVER (ORDER BY seq) - 1 AS n FROM row WHERE run = ${run} AND seq >= 0)
    WHERE seq <> n LIMIT 1`;
  return gap?.n ?? selectCount(file)`SELECT count(*) AS n FROM row WHERE run = ${run} AND seq >= 0`;
}

/** Returns how many of the first `items` items have an outcome. */
export function countFinishedItems(file: JournalDatabase, run: number, items: number): number {
  return selectCount(file)`SELECT count(*) AS n FROM row WHERE run = ${run} AND seq >= 0 AND seq < ${items}`;
}

/** Returns the numbers of the items [from, to) that have an outcome. */
export function readFinishedItemNumbers(
  file: JournalDatabase,
  run: number,
  from: number,
  to: number,
): Set<number> {
  const found = select(file, { seq: numberColumn })`
    SELECT seq FROM row WHERE run = ${run} AND seq >= ${from} AND seq < ${to}`;
  return new Set(found.map(({ seq }) => seq));
}

const rowOutcome = { ...rowPlace, seq: numberColumn, outcome: outcomeColumn };

/** Returns the outcomes of the items [from, to), in the input's order; items without an outcome are left out. */
export function listRowOutcomes(
  file: JournalDatabase,
  run: number,
  from: number,
  to: number,
): Pick<RowRecord, 'seq' | 'line' | 'sheet' | 'outcome'>[] {
  return select(file, rowOutcome)`
    SELECT seq, line, sheet, outcome FROM row WHERE run = ${run} AND seq >= ${from} AND seq < ${to} ORDER BY seq`;
}

/** Returns a stored row as a record, without `sheet` where it has none. */
export function toRowRecord({ line, sheet, ...row }: TypedRow<typeof rowColumns>): RowRecord {
  return { ...row, ...normaliseRowPlace({ line, sheet }) };
}

/** Returns the number of problems of a run by outcome and code, the most frequent first. */
export function countProblemsByOutcome(
  file: JournalDatabase,
  run: number,
): { outcome: Outcome; code: string; n: number }[] {
  return select(file, { outcome: outcomeColumn, code: textColumn, n: numberColumn })`
    SELECT outcome, code, n FROM row_count WHERE run = ${run} AND code <> '' AND n > 0 ORDER BY n DESC, code`;
}

/** A row of a run that was sent to a contact, or may have been. */
export interface RowWithContact extends RowPlace {
  readonly key: string | null;
  /** null where the row has no contact, or the id is not known yet. */
  readonly contact: number | null;
  /** `email:…` or `phone:…`; null where an older version wrote the row. */
  readonly identifier: string | null;
  readonly outcome: Outcome;
}

const contactRow = {
  ...rowPlace,
  key: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  identifier: nullableColumn(textColumn),
  sent: nullableColumn(jsonColumn(z.array(z.string()))),
  outcome: outcomeColumn,
};

/**
 * Returns an identifier of the row's contact. The one stored for a row without a key is that by which the row is
 * remembered, also where the contact did not get it because it belongs to another person; `sent` are those it got.
 */
function contactIdentifierOf({
  key,
  identifier,
  sent,
}: {
  readonly key: string | null;
  readonly identifier: string | null;
  readonly sent: readonly string[] | null;
}): string | null {
  if (key !== null || identifier === null || sent === null || sent.includes(identifier)) return identifier;
  return sent[0] ?? identifier;
}

/**
 * Returns the rows among the items [from, to) that have or may have a contact, with its id as far as the journal knows
 * it.
 */
export function listRowsWithContact(
  file: JournalDatabase,
  run: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  from: number,
  to: number,
): readonly RowWithContact[] {
  return select(file, contactRow)`
    SELECT row.line, row.sheet, row.key, coalesce(row.contact, known.contact) AS contact, row.identifier,
      known.identifiers AS sent, row.outcome
    FROM row LEFT JOIN known ON known.workspace = ${run.workspace} AND known.mapping = ${run.memory}
      AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE row.run = ${run.number} AND row.seq >= ${from} AND row.seq < ${to} AND row.forgotten = 0
      AND (row.contact IS NOT NULL
        OR row.outcome IN ('created', 'updated', 'merged', 'folded', 'unchanged', 'uncertain')
        OR (row.outcome = 'failed' AND known.created = 1))
    ORDER BY row.seq`.map(({ sent, ...row }) => ({
    ...row,
    identifier: contactIdentifierOf({ ...row, sent }),
  }));
}

/** A row of a run with its problems and its contact, as far as the journal knows it. */
export interface RowWithOutcome extends RowWithContact, Pick<RowRecord, 'seq' | 'problems'> {}

/**
 * Returns the rows of a run with this outcome (null for any outcome) after item `after`, except forgotten ones, in
 * order, at most `limit`.
 */
export function listRunRows(
  file: JournalDatabase,
  run: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  {
    outcome,
    after,
    limit,
  }: { readonly outcome: string | null; readonly after: number; readonly limit: number },
): readonly RowWithOutcome[] {
  return select(file, { ...contactRow, seq: numberColumn, problems: problemsColumn })`
    SELECT row.seq, row.line, row.sheet, row.key, coalesce(row.contact, known.contact) AS contact, row.identifier,
      known.identifiers AS sent, row.outcome, row.problems
    FROM row LEFT JOIN known ON known.workspace = ${run.workspace} AND known.mapping = ${run.memory}
      AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE row.run = ${run.number} AND row.seq > ${after} AND row.forgotten = 0
      AND (${outcome} IS NULL OR row.outcome = ${outcome})
    ORDER BY row.seq LIMIT ${limit}`.map(({ sent, ...row }) => ({
    ...row,
    identifier: contactIdentifierOf({ ...row, sent }),
  }));
}

/** A row whose contact has no known id, with the contact's identifier: `email:…` or `phone:…`. */
interface UnresolvedCreatedRow {
  readonly seq: number;
  readonly identifier: string | null;
}

const unresolvedRow = {
  seq: numberColumn,
  key: contactRow.key,
  identifier: contactRow.identifier,
  sent: contactRow.sent,
};

/**
 * Returns the rows of a run after item `after` whose contacts were created, or may have been, and have no known id, in
 * order, at most `limit`.
 */
export function listUnresolvedCreatedRows(
  file: JournalDatabase,
  run: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  after: number,
  limit: number,
): readonly UnresolvedCreatedRow[] {
  return select(file, unresolvedRow)`
    SELECT row.seq, row.key, row.identifier, known.identifiers AS sent
    FROM row LEFT JOIN known ON known.workspace = ${run.workspace} AND known.mapping = ${run.memory}
      AND known.key = row.identifier AND row.key IS NULL
    WHERE row.run = ${run.number} AND row.seq > ${after} AND row.contact IS NULL AND row.identifier IS NOT NULL
      AND row.forgotten = 0 AND row.outcome IN ('created', 'folded', 'uncertain')
    ORDER BY row.seq LIMIT ${limit}`.map(({ sent, ...row }) => ({
    ...row,
    identifier: contactIdentifierOf({ ...row, sent }),
  }));
}

/** Adds a problem to a row that has its outcome, replacing one of the same code. */
export function addRowProblem(file: JournalDatabase, run: number, seq: number, problem: Problem): void {
  const found = selectOne(file, { problems: problemsColumn })`
    SELECT problems FROM row WHERE run = ${run} AND seq = ${seq}`;
  if (found === undefined) return;
  const others = found.problems.filter(({ code }) => code !== problem.code);
  runSql(
    file,
  )`UPDATE row SET problems = ${toJsonOrNull([...others, problem])} WHERE run = ${run} AND seq = ${seq}`;
}

/** Removes the problems of that code from the rows of a run. */
export function removeRowProblems(file: JournalDatabase, run: number, code: string): void {
  runSql(file)`UPDATE row SET problems = (
      SELECT nullif(json_group_array(json(value)), '[]') FROM json_each(row.problems)
      WHERE json_extract(value, '$.code') <> ${code})
    WHERE run = ${run} AND problems LIKE ${toProblemCodePattern(code)}`;
}

/** Returns the number of rows of a run that have a problem of that code. */
export function countRowsWithProblem(file: JournalDatabase, run: number, code: string): number {
  return selectCount(file)`
    SELECT count(*) AS n FROM row WHERE run = ${run} AND problems LIKE ${toProblemCodePattern(code)}`;
}

/** Returns the LIKE pattern of problems that include this code. */
export function toProblemCodePattern(code: string): string {
  return `%"code":${JSON.stringify(code)}%`;
}
