import type { Outcome } from '../model/outcome.ts';
import type { Problem } from '../model/problem.ts';
import { enumColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { insertRow, replaceRow, runSql, select, selectCount, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { cellsColumn, outcomeColumn, problemsColumn, type RowRecord } from './row-record.ts';
import type { RunRecord } from './run.ts';
import { countRunRows, findRunById, listRetriesBefore } from './run-record.ts';

/** The outcomes of rows that a retry can process. */
const openOutcomes: readonly Outcome[] = ['rejected', 'failed', 'uncertain'];

export function isOpenOutcome(outcome: Outcome): boolean {
  return openOutcomes.includes(outcome);
}

/** A row as an earlier run stored it, with the values by which a retry finds it in its input. */
export type EarlierRow = Pick<RowRecord, 'seq' | 'line' | 'key' | 'hash' | 'outcome'>;

/** Whether and how the input of a retry still has a row that an earlier run read. */
export interface RetryMatch {
  /**
   * `taken`: the retry processes the row; `changed`: the row was finished, and is not processed though its cells are
   * different now; `missing`: the row is open, and not in the input any more; `removed`: as `missing`, but the user has
   * removed the row on purpose; `gone`: the row was finished, and no row of the input matches it any more.
   */
  readonly kind: (typeof counterpartKinds)[number];
  readonly ofRun: number;
  readonly ofSeq: number;
  /** The number of the matching row in the retry's input; null if there is none. */
  readonly seq: number | null;
  readonly line: number | null;
}

/**
 * Returns the original run of a chain of retries, and all its direct and indirect retries that began before run number
 * `before`, in order.
 */
export function listRetryChain(file: JournalDatabase, run: RunRecord, before: number): readonly RunRecord[] {
  let root = run;
  while (root.selection.kind === 'retry') {
    const retried = findRunById(file, root.selection.run);
    if (retried === undefined) break;
    root = retried;
  }
  const family = [root];
  for (const retry of listRetriesBefore(file, before)) {
    const { selection } = retry;
    if (selection.kind === 'retry' && family.some(({ id }) => id === selection.run)) family.push(retry);
  }
  return family;
}

const earlierRow = {
  seq: numberColumn,
  line: numberColumn,
  key: nullableColumn(textColumn),
  hash: nullableColumn(textColumn),
  outcome: outcomeColumn,
};

/**
 * Returns rows of a run after item `after`, in order, at most `limit`, without those that were filtered or forgotten.
 */
export function listEarlierRows(
  file: JournalDatabase,
  run: number,
  after: number,
  limit: number,
): readonly EarlierRow[] {
  return select(file, earlierRow)`
    SELECT seq, line, key, hash, outcome FROM row
    WHERE run = ${run} AND seq > ${after} AND outcome <> 'filtered' AND forgotten = 0 ORDER BY seq LIMIT ${limit}`;
}

/** Returns the stored cells or raw text of a row; both null for a row that is done, whose content is not kept. */
export function readStoredRowContent(
  file: JournalDatabase,
  run: number,
  seq: number,
): Pick<RowRecord, 'cells' | 'raw'> {
  const found = selectOne(file, { cells: cellsColumn, raw: nullableColumn(textColumn) })`
    SELECT cells, raw FROM row WHERE run = ${run} AND seq = ${seq}`;
  return found ?? { cells: null, raw: null };
}

/** Returns a look-up of stored cells by the hash of a row; null if the run stored none for it. */
export function createRejectedCellsLookup(
  file: JournalDatabase,
  run: number,
): (hash: string) => RowRecord['cells'] {
  // The query repeats the condition of the partial index word for word; otherwise SQLite does not use the index.
  return (hash) =>
    selectOne(file, { cells: cellsColumn })`SELECT cells FROM row INDEXED BY row_hash
      WHERE run = ${run} AND hash = ${hash}
        AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered') AND cells IS NOT NULL
      LIMIT 1`?.cells ?? null;
}

/** Returns the numbers of the unfinished rows of a run that have this hash, in order, at most two. */
export function listRowsWithHash(file: JournalDatabase, run: number, hash: string): readonly number[] {
  const found = select(file, { seq: numberColumn })`SELECT seq FROM row INDEXED BY row_hash
      WHERE run = ${run} AND hash = ${hash}
        AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')
      ORDER BY seq LIMIT 2`;
  return found.map(({ seq }) => seq);
}

const counterpartKinds = ['taken', 'changed', 'missing', 'removed', 'gone'] as const;
const counterpart = {
  number: numberColumn,
  kind: enumColumn(counterpartKinds),
  ofRun: numberColumn,
  ofSeq: numberColumn,
  seq: nullableColumn(numberColumn),
  line: nullableColumn(numberColumn),
};

/** Stores the matches that a retry found, replacing its earlier ones. */
export function writeRetryMatches(file: JournalDatabase, run: number, found: Iterable<RetryMatch>): void {
  const replace = file.transaction(() => {
    runSql(file)`DELETE FROM counterpart WHERE run = ${run}`;
    let number = 0;
    for (const { kind, ofRun, ofSeq, seq, line } of found) {
      insertRow(file, 'counterpart', { run, number, kind, of_run: ofRun, of_seq: ofSeq, seq, line });
      number += 1;
    }
  });
  replace.immediate();
}

/** Returns the matches of a retry after match number `after`, in order, at most `limit`. */
export function listRetryMatches(
  file: JournalDatabase,
  run: number,
  after: number,
  limit: number,
): readonly (RetryMatch & { readonly number: number })[] {
  return select(file, counterpart)`
    SELECT number, kind, of_run AS ofRun, of_seq AS ofSeq, seq, line FROM counterpart
    WHERE run = ${run} AND number > ${after} ORDER BY number LIMIT ${limit}`;
}

/** A row of an earlier run that a retry did not process, as the earlier run stored it. */
export interface UnprocessedRow extends RetryMatch {
  readonly number: number;
  readonly run: string;
  readonly wasLine: number;
  /** The row's sheet, where the input has several; null otherwise. */
  readonly sheet: string | null;
  readonly key: string | null;
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

const leftRow = {
  ...counterpart,
  run: textColumn,
  wasLine: numberColumn,
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  outcome: outcomeColumn,
  problems: problemsColumn,
};

/** Returns the earlier rows that a retry did not process, after match number `after`, in order, at most `limit`. */
export function listUnprocessedRows(
  file: JournalDatabase,
  run: number,
  after: number,
  limit: number,
): readonly UnprocessedRow[] {
  return select(file, leftRow)`
    SELECT c.number, c.kind, c.of_run AS ofRun, c.of_seq AS ofSeq, c.seq, c.line,
      run.id AS run, row.line AS wasLine, row.sheet, row.key, row.outcome, row.problems
    FROM counterpart c JOIN row ON row.run = c.of_run AND row.seq = c.of_seq JOIN run ON run.number = c.of_run
    WHERE c.run = ${run} AND c.number > ${after} AND c.kind <> 'taken' ORDER BY c.number LIMIT ${limit}`;
}

/** Returns the number of matches of a retry by kind. */
export function countRetryMatches(
  file: JournalDatabase,
  run: number,
): ReadonlyMap<RetryMatch['kind'], number> {
  const rows = select(file, { kind: counterpart.kind, n: numberColumn })`
    SELECT kind, count(*) AS n FROM counterpart WHERE run = ${run} GROUP BY kind`;
  return new Map(rows.map(({ kind, n }) => [kind, n]));
}

/**
 * Returns the number of a run's open rows that still need a retry: no later retry has finished them, and the user has
 * not removed them from the input on purpose. Forgotten rows do not count; 0 for a pruned run.
 */
export function countOpenRows(file: JournalDatabase, run: RunRecord): number {
  if (run.pruned !== null) return 0;
  const { rejected, failed, uncertain } = countRunRows(file, run);
  const open = rejected + failed + uncertain;
  return open === 0
    ? 0
    : open - listSettledRows(file, run.number).length - countForgottenOpenRows(file, run.number);
}

// The conditions of these queries repeat those of partial indexes: otherwise SQLite does not use them.

/** Returns the number of open rows of a run that cannot be retried, because their person was forgotten. */
export function countForgottenOpenRows(file: JournalDatabase, run: number): number {
  if (selectOne(file, { hash: textColumn })`SELECT hash FROM forgotten LIMIT 1` === undefined) return 0;
  return selectCount(file)`SELECT count(*) AS n FROM row INDEXED BY row_outcome
    WHERE run = ${run} AND outcome IN ('rejected', 'failed', 'uncertain') AND forgotten = 1
      AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')`;
}

/** Returns the `seq` of each open row of a run that needs no retry any more: finished by one, or removed on purpose. */
export function listSettledRows(file: JournalDatabase, run: number): readonly number[] {
  const retried = selectOne(file, { of_run: numberColumn })`
    SELECT of_run FROM counterpart WHERE of_run = ${run} AND kind IN ('taken', 'removed') LIMIT 1`;
  if (retried === undefined) return [];
  const found = select(file, { first: numberColumn })`
    WITH RECURSIVE version (first, run, seq) AS (
      SELECT seq, run, seq FROM row WHERE run = ${run} AND outcome IN ('rejected', 'failed', 'uncertain') AND forgotten = 0
      AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')
      UNION
      SELECT version.first, c.run, c.seq FROM version
      JOIN counterpart c ON c.of_run = version.run AND c.of_seq = version.seq AND c.kind = 'taken' AND c.kind IN ('taken', 'removed')
    )
    SELECT DISTINCT version.first FROM version
    LEFT JOIN row ON row.run = version.run AND row.seq = version.seq
    WHERE row.outcome NOT IN ('rejected', 'failed', 'uncertain') OR EXISTS (
      SELECT 1 FROM counterpart c
      WHERE c.of_run = version.run AND c.of_seq = version.seq AND c.kind = 'removed' AND c.kind IN ('taken', 'removed'))`;
  return found.map(({ first }) => first);
}

/**
 * Returns the line of a row in the input of the import, also where its run has read the row from a list of corrected rows.
 */
export function findInputLine(
  file: JournalDatabase,
  run: RunRecord,
  row: Pick<RowRecord, 'seq' | 'line'>,
): number {
  if (run.selection.kind !== 'retry' || run.selection.from === undefined) return row.line;
  const before = selectOne(file, { id: textColumn, seq: numberColumn, line: numberColumn })`
    SELECT run.id, row.seq, row.line FROM counterpart c
    JOIN row ON row.run = c.of_run AND row.seq = c.of_seq JOIN run ON run.number = c.of_run
    WHERE c.run = ${run.number} AND c.seq = ${row.seq} AND c.kind = 'taken' LIMIT 1`;
  const earlier = before && findRunById(file, before.id);
  return before === undefined || earlier === undefined ? row.line : findInputLine(file, earlier, before);
}

/** Returns true if the run, its original run or any of their retries has open rows. */
export function hasOpenRowsInRetryChain(file: JournalDatabase, run: RunRecord): boolean {
  return listRetryChain(file, run, Number.MAX_SAFE_INTEGER).some((each) => countOpenRows(file, each) > 0);
}

/**
 * Stores the weak phones of a run's input: phones that too many people share to identify one of them. A retry
 * reads only some of the rows, so it cannot find the weak phones itself.
 */
export function storeWeakPhones(file: JournalDatabase, run: number, phones: Iterable<string>): void {
  const remember = file.transaction(() => {
    for (const phone of phones) replaceRow(file, 'weak_phone', { run, phone });
  });
  remember.immediate();
}

/** Returns the weak phones of a run's input after `after`, in order, at most `limit`. */
export function listWeakPhones(
  file: JournalDatabase,
  run: number,
  after: string,
  limit: number,
): readonly string[] {
  const found = select(file, { phone: textColumn })`
    SELECT phone FROM weak_phone WHERE run = ${run} AND phone > ${after} ORDER BY phone LIMIT ${limit}`;
  return found.map(({ phone }) => phone);
}
