import { join } from 'node:path';
import * as z from 'zod';
import {
  type JournalDatabase,
  listEarlierRows,
  listRetryMatches,
  listRowsWithHash,
  type RetrySelection,
  type RunRecord,
} from '../../journal/index.ts';
import { type CommandFactory, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import type { InputFacts, NestedListFacts, NestedRow, Row, Source } from '../../model/row.ts';
import { createNestedRow } from '../../sources/json/array-rows.ts';
import { jsonColumn, numberColumn } from '../../storage/columns.ts';
import { runSql, selectOne } from '../../storage/sql.ts';
import {
  createScratchDatabase,
  openSqlite,
  removeDatabase,
  type SqliteConnection,
  withStorageErrors,
} from '../../storage/sqlite.ts';
import { iterateQueryRows } from './earlier-rows.ts';
import { hashRowContent, parseRowOrigin } from './row-hash.ts';

/** The retry that needs the lists, and the input that has them. */
export interface OriginalListsInput {
  /** The input of the retried run, which has to be as that run read it. */
  readonly input: Source;
  /** The names of the lists. */
  readonly lists: readonly string[];
  readonly journal: JournalDatabase;
  readonly retried: RunRecord;
  /** The runs of the retry's chain. */
  readonly family: readonly RunRecord[];
  /** The path of the scratch file. */
  readonly path: string;
  /** The path of the corrected file. */
  readonly from: string;
  readonly command: CommandFactory;
}

/** A row of a corrected rejects.csv, with the cells that say which row of the input it corrects. */
export interface CorrectedRowOrigin {
  /** The number of the row in the corrected file, from 0. */
  readonly item: number;
  /** The line of the row in the corrected file. */
  readonly line: number;
  /** The cell `_row`. */
  readonly origin: string;
}

/** `wanted` has the rows of the corrected file; `taken` has which earlier row each row of a corrected file was. */
const tables = `
CREATE TABLE wanted (
  item  INTEGER PRIMARY KEY,             -- number of the row in the corrected file
  line  INTEGER NOT NULL,
  seq   INTEGER NOT NULL,                -- number of the row in the input, or of one that has the same cells
  hash  TEXT NOT NULL,
  found INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX wanted_seq ON wanted (seq);
CREATE TABLE list (item INTEGER NOT NULL, name TEXT NOT NULL, rows TEXT NOT NULL, PRIMARY KEY (item, name)) STRICT;
CREATE TABLE taken (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, of_run INTEGER NOT NULL, of_seq INTEGER NOT NULL, PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
`;

const pageSize = 2_000;

/**
 * Stores the lists of corrected rows in a scratch file, as the input of the retried run has them, because a rejects.csv
 * holds no lists. Returns the facts about the input's lists. Throws a FatalError (input) if the input has changed since,
 * or if it is not certain which of its rows a corrected row was.
 */
export async function storeOriginalLists(
  request: OriginalListsInput,
  rows: AsyncIterable<CorrectedRowOrigin>,
  signal: AbortSignal,
): Promise<Pick<InputFacts, 'lists' | 'absent'>> {
  const { input, path } = request;
  const { fingerprint, lists = [], absent } = await input.inspect(signal);
  const file = createScratchDatabase(path);
  try {
    file.exec(`BEGIN; ${tables}`);
    const finder = new OriginalRowFinder(request, file, fingerprint);
    for await (const row of rows) finder.find(row);
    finder.assertFound();
    await copyLists(request, file, lists, signal);
    assertCopied(request, file);
    file.exec('COMMIT');
  } catch (error) {
    file.close();
    removeDatabase(path);
    throw error;
  }
  file.close();
  return { lists, ...(absent && { absent }) };
}

/** A row as the journal has it. */
interface StoredRow {
  readonly run: RunRecord;
  readonly seq: number;
  readonly hash: string;
}

/** Finds the row of the input that a corrected row was, through the retries of corrected files before this one. */
class OriginalRowFinder {
  readonly #request: OriginalListsInput;
  readonly #file: SqliteConnection;
  readonly #fingerprint: string;
  readonly #runs: ReadonlyMap<string, RunRecord>;
  readonly #byNumber: ReadonlyMap<number, RunRecord>;
  #refused: { readonly line: number; readonly origin: string; n: number } | undefined;

  constructor(request: OriginalListsInput, file: SqliteConnection, fingerprint: string) {
    this.#request = request;
    this.#file = file;
    this.#fingerprint = fingerprint;
    this.#runs = new Map(request.family.map((run) => [run.id, run]));
    this.#byNumber = new Map(request.family.map((run) => [run.number, run]));
    for (const run of request.family) if (readsCorrectedRows(run)) this.#storeTaken(run.number);
  }

  /** Stores which row of the input a corrected row was; throws a FatalError (input) if the input has changed since. */
  find({ item, line, origin }: CorrectedRowOrigin): void {
    const named = parseRowOrigin(origin);
    const run = named && this.#runs.get(named.run);
    // The matching of the rows refuses a row of any other run, and names the run.
    if (named !== undefined && run === undefined) return;
    const original = named && run && this.#named(run, named.hash);
    if (original === undefined) {
      this.#refused ??= { line, origin, n: 0 };
      this.#refused.n += 1;
      return;
    }
    const { seq, hash } = original;
    if (original.run.input !== this.#fingerprint) throw inputHasChanged(this.#request, original.run, line);
    withStorageErrors(this.#request.path, () => {
      runSql(this.#file)`INSERT INTO wanted (item, line, seq, hash)
        VALUES (${item}, ${line}, ${seq}, ${hash})`;
    });
  }

  /** Throws a FatalError (input) if the row of the input was not found for each row. */
  assertFound(): void {
    if (this.#refused === undefined) return;
    const { line, origin, n } = this.#refused;
    const why = `"_row" ${origin === '' ? 'is empty' : 'does not name a row whose place in the input is certain'}`;
    throw refusal(this.#request, { line, why, n });
  }

  /** Returns the row of the input that a rejected row of a run was; undefined if that is not certain. */
  #named(run: RunRecord, hash: string): StoredRow | undefined {
    // Rows of equal cells have equal lists, so any of them will do.
    const [seq] = listRowsWithHash(this.#request.journal, run.number, hash);
    let row = seq === undefined ? undefined : this.#storedRow(run, seq);
    while (row !== undefined && readsCorrectedRows(row.run)) {
      const before = this.#isAlone(row) ? this.#takenBy(row.run, row.seq) : undefined;
      row = before && this.#storedRow(before.run, before.seq);
    }
    return row;
  }

  /** Returns false if corrections have given several rows of a run the same cells: their lists may differ. */
  #isAlone({ run, seq, hash }: StoredRow): boolean {
    const [first, second] = listRowsWithHash(this.#request.journal, run.number, hash);
    return first === seq && second === undefined;
  }

  #storedRow(run: RunRecord, seq: number): StoredRow | undefined {
    const [row] = listEarlierRows(this.#request.journal, run.number, seq - 1, 1);
    return row === undefined || row.seq !== seq || row.hash === null
      ? undefined
      : { run, seq, hash: row.hash };
  }

  #takenBy(
    { number }: RunRecord,
    seq: number,
  ): { readonly run: RunRecord; readonly seq: number } | undefined {
    const found = selectOne(this.#file, { run: numberColumn, seq: numberColumn })`
      SELECT of_run AS run, of_seq AS seq FROM taken WHERE run = ${number} AND seq = ${seq}`;
    const run = found && this.#byNumber.get(found.run);
    return run && { run, seq: found.seq };
  }

  #storeTaken(run: number): void {
    const { journal, path } = this.#request;
    for (const { kind, ofRun, ofSeq, seq } of iterateQueryRows(
      (after: { readonly number: number } | undefined) =>
        listRetryMatches(journal, run, after?.number ?? -1, pageSize),
    ))
      if (kind === 'taken')
        withStorageErrors(path, () => {
          runSql(this.#file)`INSERT INTO taken (run, seq, of_run, of_seq)
            VALUES (${run}, ${seq}, ${ofRun}, ${ofSeq})`;
        });
  }
}

/** Returns true for a run that read the rows of a corrected rejects.csv, and not its pipeline's input. */
function readsCorrectedRows({ selection }: RunRecord): boolean {
  return selection.kind === 'retry' && selection.from !== undefined;
}

/** Reads the input and stores the lists of the wanted rows. */
async function copyLists(
  { input, lists: names, path }: OriginalListsInput,
  file: SqliteConnection,
  facts: readonly NestedListFacts[],
  signal: AbortSignal,
): Promise<void> {
  const lists = facts.filter(({ name }) => names.includes(name));
  const last = selectOne(file, { seq: numberColumn })`SELECT seq FROM wanted ORDER BY seq DESC LIMIT 1`?.seq;
  if (last === undefined) return;
  const wanted = file.prepare<[number, number], { item: number; seq: number; hash: string }>(
    'SELECT item, seq, hash FROM wanted WHERE seq >= ? AND seq < ?',
  );
  let seq = 0;
  for await (const batch of input.read(0, signal)) {
    withStorageErrors(path, () => {
      for (const { item, seq: at, hash } of wanted.all(seq, seq + batch.length)) {
        const row = batch[at - seq];
        if (row?.kind === 'row' && hashRowContent(row) === hash) copyListsOfRow(file, item, row, lists);
      }
    });
    seq += batch.length;
    if (seq > last) break;
    signal.throwIfAborted();
  }
}

function copyListsOfRow(
  file: SqliteConnection,
  item: number,
  row: Row,
  lists: readonly NestedListFacts[],
): void {
  for (const { name, columns } of lists) {
    const rows = row.list?.(name);
    if (rows === undefined) continue;
    const cells = JSON.stringify(rows.map((each) => cellsOf(each, columns ?? [])));
    runSql(file)`INSERT INTO list (item, name, rows) VALUES (${item}, ${name}, ${cells})`;
  }
  runSql(file)`UPDATE wanted SET found = 1 WHERE item = ${item}`;
}

/** Returns the cells of a row of a list, with those of known columns that it does not list: a missing join is null. */
function cellsOf(row: NestedRow, columns: readonly string[]) {
  const cells = new Map(row.entries());
  for (const column of columns) {
    const cell = row.cell(column);
    if (cell !== undefined) cells.set(column, cell);
  }
  return [...cells];
}

function assertCopied(request: OriginalListsInput, file: SqliteConnection): void {
  const missing = selectOne(file, { line: numberColumn, n: numberColumn })`
    SELECT line, count(*) OVER () AS n FROM wanted WHERE found = 0 ORDER BY item LIMIT 1`;
  if (missing === undefined) return;
  const why = 'the input does not have it as it was, or it could not be read there';
  throw refusal(request, { ...missing, why });
}

const storedRows = jsonColumn(z.array(z.array(z.tuple([z.string(), z.string().nullable()]))));

/** The stored lists, open for reading; the caller must close them. */
export interface OpenOriginalLists {
  /** Returns a list of a row of the corrected file; undefined if the input has no such list beside its columns. */
  of(item: number, name: string): readonly NestedRow[] | undefined;
  close(): void;
}

/** Opens the lists that `storeOriginalLists` has stored. */
export function openOriginalLists(path: string): OpenOriginalLists {
  const file = withStorageErrors(path, () => openSqlite(path, { readonly: true, fileMustExist: true }));
  return {
    of(item, name) {
      const find = selectOne(file, { rows: storedRows });
      const found = withStorageErrors(
        path,
        () => find`SELECT rows FROM list WHERE item = ${item} AND name = ${name}`,
      );
      return found?.rows.map((cells) => createNestedRow(new Map(cells)));
    },
    close: () => file.close(),
  };
}

/** Returns the path of the scratch file with the lists of a retry's rows. */
export function originalListsPath(workDir: string, { run }: Pick<RetrySelection, 'run'>): string {
  return join(workDir, 'spool', `${run}.lists.db`);
}

function inputHasChanged(
  { from, lists, retried, command }: OriginalListsInput,
  { id }: RunRecord,
  line: number,
): FatalError {
  return new FatalError(
    'input',
    `the input, or how the pipeline reads it, has changed since run ${id}: the lists of this row (${formatNameList(lists, 8)}) may be others now, and this file does not hold them.`,
    {
      place: { file: from, line },
      next: hint`Correct the rows in the input itself, and leave out --from: ${command('retry', retried.id)}`,
    },
  );
}

function refusal(
  { from, lists, retried, command }: OriginalListsInput,
  { line, why, n }: { readonly line: number; readonly why: string; readonly n: number },
): FatalError {
  const more = n === 1 ? '' : ` The same holds for ${n === 2 ? 'another row' : `${n - 1} other rows`}.`;
  return new FatalError(
    'input',
    `the lists of this row (${formatNameList(lists, 8)}) cannot be taken from the input: ${why}.${more}`,
    {
      place: { file: from, line },
      next: hint`Take the line from rejects.csv again. Or remove it here, correct or add the row in the input itself, and then: ${command('retry', retried.id)}`,
    },
  );
}
