import * as z from 'zod';
import { type Outcome, outcomes } from '../model/outcome.ts';
import type { Problem } from '../model/problem.ts';
import { placeOf, type RowPlace } from '../model/row-place.ts';
import { type Column, jsonOf, nullable, number, oneOf, type RowOf, text } from '../storage/columns.ts';
import { change, json, select, selectCount, selectOne } from '../storage/sql.ts';
import { type FieldFill, fillText } from './fill-record.ts';
import type { JournalFile } from './open.ts';
import type { RunRecord } from './run.ts';

/** The result of a row, as stored in the journal. */
export interface RowRecord extends RowPlace {
  readonly seq: number;
  readonly outcome: Outcome;
  readonly key: string | null;
  readonly contact: number | null;
  /** `email:…` or `phone:…` of the row's person; absent where the row matched no contact. */
  readonly identifier?: string | undefined;
  readonly problems: readonly Problem[];
  /** The row's cells, stored where the row needs manual action. */
  readonly cells: readonly (readonly [string, string | null])[] | null;
  readonly raw: string | null;
  /** The hash of its content; null for a filtered row, and where an older version of the journal stored none. */
  readonly hash: string | null;
  /** The fields that its contact had a value for; absent where it has no contact, or the contact was not read. */
  readonly fill?: FieldFill | undefined;
}

const problem = z.object({ code: z.string(), column: z.string().nullable(), reason: z.string() });
const storedProblems = nullable(jsonOf(z.array(problem)));

/** Reads the problems of a row; none if the column is empty. */
export const problemList: Column<readonly Problem[]> = (value) => storedProblems(value) ?? [];

/** Reads the cells of a row with their columns, if stored. */
export const cellList = nullable(jsonOf(z.array(z.tuple([z.string(), z.string().nullable()]))));

/** Reads the outcome of a row. */
export const outcome = oneOf(outcomes);

const rowPlace = { line: number, sheet: nullable(text) };

/** The columns of a row that a list shows. */
export const rowColumns = {
  ...rowPlace,
  seq: number,
  outcome,
  key: nullable(text),
  contact: nullable(number),
  problems: problemList,
  cells: cellList,
  raw: nullable(text),
  hash: nullable(text),
};

/** Records the result of a row. */
export function writeRow(file: JournalFile, run: number, record: RowRecord): void {
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
  const [found, cells] = [problems.length === 0 ? null : json(problems), json(record.cells)];
  change(file)`
    REPLACE INTO row (run, seq, line, sheet, outcome, key, contact, problems, cells, raw, hash, identifier, fill)
    VALUES (${run}, ${seq}, ${line}, ${sheet}, ${outcome}, ${key}, ${contact}, ${found}, ${cells}, ${raw}, ${hash},
      ${identifier}, ${fill === undefined ? null : fillText(fill)})`;
}

/** Returns the number of the first item that has no outcome yet. */
export function firstOpenRow(file: JournalFile, run: number): number {
  const gap = selectOne(file, { n: number })`
    SELECT n FROM (SELECT seq, row_number() OVER (ORDER BY seq) - 1 AS n FROM row WHERE run = ${run} AND seq >= 0)
    WHERE seq <> n LIMIT 1`;
  return gap?.n ?? selectCount(file)`SELECT count(*) AS n FROM row WHERE run = ${run} AND seq >= 0`;
}

/** Returns the items of [from, to) that have an outcome. */
export function finishedBetween(file: JournalFile, run: number, from: number, to: number): Set<number> {
  return new Set(outcomesBetween(file, run, from, to).map(({ seq }) => seq));
}

const rowOutcome = { ...rowPlace, seq: number, outcome };

/** Returns the outcomes of the items of [from, to) that have one, in the input's order. */
export function outcomesBetween(
  file: JournalFile,
  run: number,
  from: number,
  to: number,
): Pick<RowRecord, 'seq' | 'line' | 'sheet' | 'outcome'>[] {
  return select(file, rowOutcome)`
    SELECT seq, line, sheet, outcome FROM row WHERE run = ${run} AND seq >= ${from} AND seq < ${to} ORDER BY seq`;
}

/** Returns a stored row with its place in the form that lists use. */
export function readRow({ line, sheet, ...row }: RowOf<typeof rowColumns>): RowRecord {
  return { ...row, ...placeOf({ line, sheet }) };
}

/** Counts each problem code among the rows with one of these outcomes. */
export function countProblems(
  file: JournalFile,
  run: number,
): { outcome: Outcome; code: string; n: number }[] {
  return select(file, { outcome, code: text, n: number })`
    SELECT row.outcome AS outcome, json_extract(problem.value, '$.code') AS code, count(*) AS n
    FROM row, json_each(row.problems) AS problem
    WHERE row.run = ${run} AND row.problems IS NOT NULL
    GROUP BY 1, 2 ORDER BY n DESC, code`;
}

/** A row of a run that has a contact. */
export interface ContactRow extends RowPlace {
  readonly key: string | null;
  /** null where the contact was created and its id is not known yet. */
  readonly contact: number | null;
  /** `email:…` or `phone:…`; null where an older version wrote the row. */
  readonly identifier: string | null;
  readonly outcome: Outcome;
}

const contactRow = {
  ...rowPlace,
  key: nullable(text),
  contact: nullable(number),
  identifier: nullable(text),
  outcome,
};

/** Returns the rows among the items [from, to) that have a contact, with its id as far as the journal knows it now. */
export function contactRowsBetween(
  file: JournalFile,
  run: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  from: number,
  to: number,
): readonly ContactRow[] {
  return select(file, contactRow)`
    SELECT row.line, row.sheet, row.key, coalesce(row.contact, known.contact) AS contact, row.identifier, row.outcome
    FROM row LEFT JOIN known ON known.workspace = ${run.workspace} AND known.mapping = ${run.memory}
      AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE row.run = ${run.number} AND row.seq >= ${from} AND row.seq < ${to} AND row.forgotten = 0
      AND (row.contact IS NOT NULL
        OR row.outcome IN ('created', 'updated', 'merged', 'folded', 'unchanged', 'uncertain')
        OR (row.outcome = 'failed' AND known.created = 1))
    ORDER BY row.seq`;
}

/** A row whose contact has no known id, with `email:…` or `phone:…` of its person. */
interface UnmetRow {
  readonly seq: number;
  readonly identifier: string;
}

/**
 * Returns the rows of a run after item `after` whose contacts were created and have no known id since, in order, at
 * most `limit`.
 */
export function rowsWithoutContactIdAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly UnmetRow[] {
  return select(file, { seq: number, identifier: text })`
    SELECT seq, identifier FROM row
    WHERE run = ${run} AND seq > ${after} AND contact IS NULL AND identifier IS NOT NULL AND forgotten = 0
      AND outcome IN ('created', 'folded', 'uncertain')
    ORDER BY seq LIMIT ${limit}`;
}

/** Adds a problem to a row that has its outcome, replacing one of the same code. */
export function addProblem(file: JournalFile, run: number, seq: number, problem: Problem): void {
  const found = selectOne(file, { problems: problemList })`
    SELECT problems FROM row WHERE run = ${run} AND seq = ${seq}`;
  if (found === undefined) return;
  const others = found.problems.filter(({ code }) => code !== problem.code);
  change(file)`UPDATE row SET problems = ${json([...others, problem])} WHERE run = ${run} AND seq = ${seq}`;
}

/** Removes the problems of that code from the rows of a run. */
export function dropProblems(file: JournalFile, run: number, code: string): void {
  change(file)`UPDATE row SET problems = (
      SELECT nullif(json_group_array(json(value)), '[]') FROM json_each(row.problems)
      WHERE json_extract(value, '$.code') <> ${code})
    WHERE run = ${run} AND problems LIKE ${problemCodePattern(code)}`;
}

/** Counts the rows of a run that have a problem of that code. */
export function countWithProblem(file: JournalFile, run: number, code: string): number {
  return selectCount(file)`
    SELECT count(*) AS n FROM row WHERE run = ${run} AND problems LIKE ${problemCodePattern(code)}`;
}

/** Returns the LIKE pattern of problems that include this code. */
export function problemCodePattern(code: string): string {
  return `%"code":${JSON.stringify(code)}%`;
}
