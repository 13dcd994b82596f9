import { COPYFILE_FICLONE } from 'node:constants';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import { isSqliteError, openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';
import { createBrokenRow, maxRawTextLength } from '../broken-row.ts';
import { createDecoder, formatFirstUndecodableByte } from '../encoding/decoding.ts';
import { createMaxRowBytesOption, databaseNullsOption } from '../options.ts';
import { convertNullTexts, RowLayout, TableRow } from '../rows.ts';
import type { SourceInput } from '../source-format.ts';
import type { TableFacts } from '../tables.ts';
import {
  assertSqliteFileUnchanged,
  computeSqliteFingerprint,
  resolveSqliteInputFile,
  type SqliteInputFile,
} from './found-file.ts';
import {
  listTablesAndViews,
  readTableSchema,
  type SqliteRow,
  type SqliteTableSchema,
  type SqliteValue,
  type TableOrView,
  TableRowReader,
} from './table-rows.ts';
import { copiedViewTable, copyView } from './view-copy.ts';

/** The options of a SQLite file, read as one table or as a set of tables. */
export const sqliteFileOptionsSchema = z.strictObject({
  nulls: databaseNullsOption,
  maxRowBytes: createMaxRowBytesOption('A row whose values have more bytes is a broken row.'),
});

/** The options of a SQLite source besides `format` and `path`. */
export const sqliteOptionsSchema = sqliteFileOptionsSchema.extend({
  table: z
    .string()
    .min(1)
    .describe('The table or view to read. Needed if the file has several tables.')
    .optional(),
});

export type SqliteFileOptions = z.output<typeof sqliteFileOptionsSchema>;
export type SqliteOptions = z.output<typeof sqliteOptionsSchema>;

const busyMilliseconds = 5000;

/** Opens a SQLite file read-only, with exact integers; writes nothing beside it. */
function openFile(path: string, name: string): SqliteConnection {
  try {
    const opened = openSqlite(path, { readonly: true, fileMustExist: true, timeout: busyMilliseconds });
    try {
      opened.defaultSafeIntegers(true);
      // An untrusted file: its views must not call unsafe functions.
      opened.pragma('trusted_schema = OFF');
      opened.pragma('cell_size_check = ON');
      opened.pragma('cache_size = -16000');
      opened.prepare('SELECT count(*) FROM sqlite_schema').get();
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  } catch (error) {
    throw sqliteInputError(error, name, 'cannot be opened');
  }
}

/**
 * Copies a file with its log into the spool folder, checkpoints it there, and returns the copy's path, named by the
 * fingerprint; reuses an existing copy.
 */
async function checkpointedCopy(
  found: SqliteInputFile,
  spoolDir: string,
  fingerprint: string,
): Promise<string> {
  const whole = join(spoolDir, `sqlite-${fingerprint.slice(0, 16)}`);
  if (existsSync(whole)) return whole;
  makeOwnerOnlyFolder(spoolDir);
  const part = await mkdtemp(join(spoolDir, 'sqlite-part-'));
  try {
    const copy = join(part, 'copy');
    await copyFile(found.file.path, copy, COPYFILE_FICLONE);
    await chmod(copy, 0o600);
    if (found.log !== null) {
      const ending = found.log.path.slice(found.file.path.length);
      await copyFile(found.log.path, copy + ending, COPYFILE_FICLONE);
      await chmod(copy + ending, 0o600);
    }
    await assertSqliteFileUnchanged(found);
    checkpoint(copy, found.file.name);
    await rename(copy, whole);
    return whole;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** Checkpoints a copy by switching it to the journal mode DELETE, so that it has no files beside it. */
function checkpoint(path: string, name: string): void {
  try {
    const copy = openSqlite(path, { fileMustExist: true });
    try {
      copy.pragma('journal_mode = DELETE');
    } finally {
      copy.close();
    }
  } catch (error) {
    throw sqliteInputError(error, name, 'cannot be opened');
  }
}

/** A SQLite file after the scan of its bytes. */
export interface InspectedSqliteFile {
  readonly found: SqliteInputFile;
  readonly fingerprint: string;
  /** The path that is read: the file itself or its copy. */
  readonly path: string;
  readonly tables: readonly TableOrView[];
}

/** A SQLite file, opened read-only for each operation. */
export class SqliteInputReader {
  readonly #input: SourceInput;
  readonly #settings: unknown;
  readonly #options: SqliteFileOptions;
  #found: SqliteInputFile | null = null;
  #known: InspectedSqliteFile | null = null;

  /** The fingerprint is a hash of `settings` and the file's bytes. */
  constructor(input: SourceInput, settings: unknown, options: SqliteFileOptions) {
    this.#input = input;
    this.#settings = settings;
    this.#options = options;
  }

  /** Scans the file's bytes, and lists its tables. */
  async inspect(signal: AbortSignal): Promise<InspectedSqliteFile> {
    signal.throwIfAborted();
    this.#found ??= await resolveSqliteInputFile(this.#input, signal);
    const found = this.#found;
    const print = await computeSqliteFingerprint(found, this.#settings, signal);
    const path = found.needsCopy
      ? await checkpointedCopy(found, this.#input.spoolDir, print)
      : found.file.path;
    const problem = 'has a list of tables that cannot be read';
    const tables = await this.#within(path, found, problem, async (file) => listTablesAndViews(file));
    this.#known = { found, fingerprint: print, path, tables };
    return this.#known;
  }

  /** Returns the result of the last inspection; inspects if there was none. */
  async known(signal: AbortSignal): Promise<InspectedSqliteFile> {
    return this.#known ?? (await this.inspect(signal));
  }

  /** Returns the columns and the number of rows of a table or view. */
  async measure(known: InspectedSqliteFile, listed: TableOrView, signal: AbortSignal): Promise<TableFacts> {
    const { path, table: readable } = await this.#readable(known, listed, signal);
    const problem = `has a ${listed.kind} ${listed.name} that cannot be read`;
    return await this.#within(path, known.found, problem, async (file) => {
      const table = readTableSchema(file, readable);
      let items = 0;
      for (const counted of new TableRowReader(file, table, this.#options.maxRowBytes).counts()) {
        items += counted;
        await nextTurn();
        signal.throwIfAborted();
      }
      return { name: listed.name, columns: table.columns, items };
    });
  }

  /** Yields the items of a table from number `from` on, in batches. */
  async *items(
    known: InspectedSqliteFile,
    listed: TableOrView,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const { found } = known;
    await assertSqliteFileUnchanged(found);
    const { name } = found.file;
    const { path, table: readable } = await this.#readable(known, listed, signal);
    const file = openFile(path, name);
    let place = from;
    try {
      const table = readTableSchema(file, readable);
      const rows = new TableRowReader(file, table, this.#options.maxRowBytes);
      const encoding = String(file.pragma('encoding', { simple: true })).toLowerCase();
      const itemOf = itemMaker(table, rows, encoding, this.#options);
      for (const batch of rows.batches(from)) {
        // SQLite reads synchronously; a turn of the event loop lets abort signals arrive.
        await nextTurn();
        signal.throwIfAborted();
        const first = place;
        yield batch.map((row, index) => itemOf(row, first + index));
        place += batch.length;
      }
    } catch (error) {
      throw sqliteInputError(error, name, `cannot be read behind row ${place} of ${listed.name}`);
    } finally {
      file.close();
    }
    await assertSqliteFileUnchanged(found);
  }

  /** Returns the table to read and its file: the table itself, or for a view its copy. */
  async #readable(
    { path, found, fingerprint }: InspectedSqliteFile,
    listed: TableOrView,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly table: TableOrView }> {
    if (listed.kind === 'table') return { path, table: listed };
    const { name } = found.file;
    const { spoolDir, waiting } = this.#input;
    const problem = `has a view ${listed.name} that cannot be read`;
    const view = await this.#within(path, found, problem, async (file) => readTableSchema(file, listed));
    const order = { file: path, name, fingerprint, view, spoolDir, waiting };
    return { path: await copyView(order, signal), table: copiedViewTable };
  }

  async #within<T>(
    path: string,
    { file: { name } }: SqliteInputFile,
    problem: string,
    work: (file: SqliteConnection) => Promise<T>,
  ): Promise<T> {
    const file = openFile(path, name);
    try {
      return await work(file);
    } catch (error) {
      throw sqliteInputError(error, name, problem);
    } finally {
      file.close();
    }
  }
}

/** Converts a SQLite error to a FatalError('input') with the next step; returns other errors unchanged. */
function sqliteInputError(error: unknown, name: string, where: string): unknown {
  if (!isSqliteError(error)) return error;
  const { code } = error;
  const [what, next] = /^SQLITE_(?:CORRUPT|IOERR)/.test(code)
    ? ['it is damaged', `Recover it into a new file: sqlite3 <file> .recover | sqlite3 recovered.sqlite`]
    : code === 'SQLITE_NOTADB'
      ? ['it is not a SQLite file, or it is encrypted', 'Make a plain copy of it first.']
      : /^SQLITE_(?:BUSY|LOCKED)/.test(code)
        ? [
            'another program is writing to it',
            'Wait until it has finished, or copy the file, and run it again.',
          ]
        : [error.message, 'Check it with the sqlite3 program, or export it again.'];
  return new FatalError('input', `${name} ${where}: ${what} (${code}).`, {
    place: { file: name },
    next,
    cause: error,
  });
}

/**
 * Creates the function that converts a stored row at an index (from 0) to an item: a row, or a broken row with its
 * reason and raw text. `encoding` is the file's text encoding.
 */
function itemMaker(
  table: SqliteTableSchema,
  rows: TableRowReader,
  encoding: string,
  { maxRowBytes, nulls }: SqliteFileOptions,
): (row: SqliteRow, place: number) => SourceItem {
  const layout = new RowLayout(table.columns);
  const decoded = (cell: string, index: number, place: number): string => {
    const bytes = rows.textBytes(table.columns[index] ?? '', place);
    if (bytes === null) return cell;
    const decoding = createDecoder(encoding);
    return decoding.write(bytes) + decoding.end();
  };
  return ({ bytes, values }, place) => {
    const line = place + 1;
    const cells = convertNullTexts(values.map(cellOf), nulls);
    if (bytes > maxRowBytes) {
      const reason = `The row has ${bytes} bytes, more than ${maxRowBytes}. Raise "maxRowBytes" if it is meant to be.`;
      return broken(line, 'row.tooLarge', reason, cells);
    }
    // SQLite returns undecodable bytes as U+FFFD, which valid text may also contain.
    if (!cells.some((cell) => cell?.includes('\ufffd'))) return new TableRow(line, layout, cells);
    const exact = cells.map((cell, index) => (cell?.includes('\ufffd') ? decoded(cell, index, place) : cell));
    const byte = exact
      .map((cell) => (cell === null ? null : formatFirstUndecodableByte(cell)))
      .find((found) => found);
    if (byte === undefined) return new TableRow(line, layout, cells);
    const reason = `The row holds the byte ${byte}, which is not valid ${encoding.toUpperCase()}. Fix the text in the database.`;
    return broken(line, 'row.encoding', reason, exact);
  };
}

function cellOf(value: SqliteValue): Cell {
  if (value === null || typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value);
}

function broken(line: number, code: string, reason: string, cells: readonly Cell[]): BrokenRow {
  return createBrokenRow(
    line,
    code,
    reason,
    cells.map((cell) => cell?.slice(0, maxRawTextLength) ?? '').join('|'),
  );
}
