import type { Outcome } from '../model/outcome.ts';
import type { JournalFile } from './open.ts';
import type { RunRecord } from './run.ts';
import { countRows, findRun, retriesBefore } from './run-record.ts';

/** Outcomes with which a row is still to be done. */
const openOutcomes: readonly Outcome[] = ['rejected', 'failed', 'uncertain'];

export function isOpen(outcome: Outcome): boolean {
  return openOutcomes.includes(outcome);
}

/** A row as a run left it, for a retry to find it again in its input. */
export interface EarlierRow {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly hash: string | null;
  readonly outcome: Outcome;
}

/** What a retry found of a row that a run before it read. */
export interface Counterpart {
  /**
   * `taken`: the retry takes it; `changed`: finished and left alone, though it is different now; `missing`: open and not in
   * the input any more; `removed`: the same on purpose; `gone`: finished and not in the input any more as it was.
   */
  readonly kind: 'taken' | 'changed' | 'missing' | 'removed' | 'gone';
  readonly ofRun: number;
  readonly ofSeq: number;
  /** Where it is in the retry's input. */
  readonly seq: number | null;
  readonly line: number | null;
}

/** The run that is retried, in the end, with all retries of it that began before run number `before`; in their order. */
export function retryFamily(file: JournalFile, run: RunRecord, before: number): readonly RunRecord[] {
  let root = run;
  while (root.selection.kind === 'retry') {
    const retried = findRun(file, root.selection.run);
    if (retried === undefined) break;
    root = retried;
  }
  const family = [root];
  for (const retry of retriesBefore(file, before)) {
    const { selection } = retry;
    if (selection.kind === 'retry' && family.some(({ id }) => id === selection.run)) family.push(retry);
  }
  return family;
}

/** Rows of a run after item `after`, in order, at most `limit`, without those that its source filtered. */
export function earlierRowsAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly EarlierRow[] {
  return file
    .prepare<[number, number, number], EarlierRow>(
      `SELECT seq, line, key, hash, outcome FROM row
       WHERE run = ? AND seq > ? AND outcome <> 'filtered' ORDER BY seq LIMIT ?`,
    )
    .all(run, after, limit);
}

/** The cells or the raw text of a row, where they are kept: those of open rows are. */
export function keptContent(
  file: JournalFile,
  run: number,
  seq: number,
): { readonly cells: readonly (readonly [string, string | null])[] | null; readonly raw: string | null } {
  const found = file
    .prepare<[number, number], { cells: string | null; raw: string | null }>(
      'SELECT cells, raw FROM row WHERE run = ? AND seq = ?',
    )
    .get(run, seq);
  return { cells: parsedCells(found?.cells), raw: found?.raw ?? null };
}

/** The cells of a row of a run, by its hash, where somebody had to look at it. */
export function rejectedCells(
  file: JournalFile,
  run: number,
): (hash: string) => readonly (readonly [string, string | null])[] | null {
  // The condition of the index, word for word.
  const select = file.prepare<[number, string], { cells: string | null }>(
    `SELECT cells FROM row INDEXED BY row_hash WHERE run = ? AND hash = ?
     AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered') AND cells IS NOT NULL LIMIT 1`,
  );
  return (hash) => parsedCells(select.get(run, hash)?.cells);
}

function parsedCells(cells: string | null | undefined): readonly (readonly [string, string | null])[] | null {
  return cells === null || cells === undefined ? null : JSON.parse(cells);
}

/** Puts what a retry found in the place of what it found before. */
export function writeCounterparts(file: JournalFile, run: number, found: Iterable<Counterpart>): void {
  const remove = file.prepare('DELETE FROM counterpart WHERE run = ?');
  const insert = file.prepare(
    'INSERT INTO counterpart (run, number, kind, of_run, of_seq, seq, line) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  file
    .transaction(() => {
      remove.run(run);
      let number = 0;
      for (const { kind, ofRun, ofSeq, seq, line } of found) {
        insert.run(run, number, kind, ofRun, ofSeq, seq, line);
        number += 1;
      }
    })
    .immediate();
}

/** What a retry found, after number `after`, at most `limit`. */
export function counterpartsAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly (Counterpart & { readonly number: number })[] {
  return file
    .prepare<[number, number, number], Counterpart & { number: number }>(
      `SELECT number, kind, of_run AS ofRun, of_seq AS ofSeq, seq, line FROM counterpart
       WHERE run = ? AND number > ? ORDER BY number LIMIT ?`,
    )
    .all(run, after, limit);
}

/** A row that a retry found no place for, or left alone, as it was before. */
export interface LeftRow extends Counterpart {
  readonly number: number;
  readonly run: string;
  readonly wasLine: number;
  readonly key: string | null;
  readonly outcome: Outcome;
  readonly problems: string | null;
}

/** The rows that a retry did not take, after number `after`, at most `limit`. */
export function leftRowsAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly LeftRow[] {
  return file
    .prepare<[number, number, number], LeftRow>(
      `SELECT c.number, c.kind, c.of_run AS ofRun, c.of_seq AS ofSeq, c.seq, c.line,
         run.id AS run, row.line AS wasLine, row.key, row.outcome, row.problems
       FROM counterpart c JOIN row ON row.run = c.of_run AND row.seq = c.of_seq JOIN run ON run.number = c.of_run
       WHERE c.run = ? AND c.number > ? AND c.kind <> 'taken' ORDER BY c.number LIMIT ?`,
    )
    .all(run, after, limit);
}

/** How many counterparts of each kind a retry has. */
export function countCounterparts(file: JournalFile, run: number): ReadonlyMap<Counterpart['kind'], number> {
  const rows = file
    .prepare<[number], { kind: Counterpart['kind']; n: number }>(
      'SELECT kind, count(*) AS n FROM counterpart WHERE run = ? GROUP BY kind',
    )
    .all(run);
  return new Map(rows.map(({ kind, n }) => [kind, n]));
}

/** How many rows of a run are open: neither it nor a retry since has finished them. */
export function countOpen(file: JournalFile, run: RunRecord): number {
  const { rejected, failed, uncertain } = countRows(file, run);
  const open = rejected + failed + uncertain;
  return open === 0 ? 0 : open - countSettled(file, run.number);
}

/** Rows that a run left open and a retry has finished since, or found removed on purpose. */
function countSettled(file: JournalFile, run: number): number {
  const found = file
    .prepare<[number], { n: number }>(
      `WITH RECURSIVE version (first, run, seq) AS (
         SELECT seq, run, seq FROM row WHERE run = ? AND outcome IN ('rejected', 'failed', 'uncertain')
         AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered')
         UNION
         SELECT version.first, c.run, c.seq FROM version
         JOIN counterpart c ON c.of_run = version.run AND c.of_seq = version.seq AND c.kind = 'taken' AND c.kind IN ('taken', 'removed')
       )
       SELECT count(DISTINCT version.first) AS n FROM version
       LEFT JOIN row ON row.run = version.run AND row.seq = version.seq
       WHERE row.outcome NOT IN ('rejected', 'failed', 'uncertain') OR EXISTS (
         SELECT 1 FROM counterpart c
         WHERE c.of_run = version.run AND c.of_seq = version.seq AND c.kind = 'removed' AND c.kind IN ('taken', 'removed'))`,
    )
    .get(run);
  return found?.n ?? 0;
}

/** Whether a retry of the run would find rows that are still open, of it or of those that belong to it. */
export function hasOpenRows(file: JournalFile, run: RunRecord): boolean {
  return retryFamily(file, run, Number.MAX_SAFE_INTEGER).some((each) => countOpen(file, each) > 0);
}

/** Remembers which phones say nothing of who somebody is: a list of a few rows of the input does not show it. */
export function rememberWeakPhones(file: JournalFile, run: number, phones: Iterable<string>): void {
  const insert = file.prepare('INSERT OR IGNORE INTO weak_phone (run, phone) VALUES (?, ?)');
  file
    .transaction(() => {
      for (const phone of phones) insert.run(run, phone);
    })
    .immediate();
}

/** The weak phones of a run's input after `after`, in order, at most `limit`. */
export function weakPhonesAfter(
  file: JournalFile,
  run: number,
  after: string,
  limit: number,
): readonly string[] {
  return file
    .prepare<[number, string, number], string>(
      'SELECT phone FROM weak_phone WHERE run = ? AND phone > ? ORDER BY phone LIMIT ?',
    )
    .pluck()
    .all(run, after, limit);
}
