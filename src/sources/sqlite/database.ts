import type { SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import type { TableFacts } from '../tables.ts';
import { assertUnchanged, type FoundFile, fingerprint, foundFile } from './found-file.ts';
import { ItemMaker } from './items.ts';
import { openFile, type SqliteFile, settledCopy } from './open-file.ts';
import type { SqliteFileOptions } from './options.ts';
import { type ListedTable, tableIn, tablesIn } from './schema.ts';
import { TableRows } from './table-rows.ts';
import { explained } from './trouble.ts';

/** What is known of a SQLite file after its bytes were looked through. */
export interface KnownFile {
  readonly found: FoundFile;
  readonly fingerprint: string;
  /** What is read: the file itself, or its copy. */
  readonly path: string;
  readonly tables: readonly ListedTable[];
}

/** A SQLite file that is only read; nothing is touched before it is asked for something. */
export class SqliteDatabase {
  readonly #input: SourceInput;
  readonly #settings: unknown;
  readonly #options: SqliteFileOptions;
  #found: FoundFile | null = null;
  #known: KnownFile | null = null;

  /** `settings` are what decides how it is read: they enter the fingerprint. */
  constructor(input: SourceInput, settings: unknown, options: SqliteFileOptions) {
    this.#input = input;
    this.#settings = settings;
    this.#options = options;
  }

  /** Looks through the file's bytes and its list of tables. */
  async look(signal: AbortSignal): Promise<KnownFile> {
    signal.throwIfAborted();
    this.#found ??= await foundFile(this.#input, signal);
    const found = this.#found;
    const print = await fingerprint(found, this.#settings, signal);
    const path = found.needsCopy ? await settledCopy(found, this.#input.spoolDir, print) : found.file.path;
    const tables = this.#within(path, found, 'has a list of tables that cannot be read', tablesIn);
    this.#known = { found, fingerprint: print, path, tables };
    return this.#known;
  }

  /** What the last look found; takes one where there was none. */
  async known(signal: AbortSignal): Promise<KnownFile> {
    return this.#known ?? (await this.look(signal));
  }

  /** The columns of a table or view, and how many rows it has. */
  measure({ path, found }: KnownFile, listed: ListedTable): TableFacts {
    const trouble = `has a ${listed.kind} ${listed.name} that cannot be read`;
    return this.#within(path, found, trouble, (file) => {
      const table = tableIn(file, listed);
      const items = new TableRows(file, table, this.#options.maxRowBytes).count();
      return { name: table.name, columns: table.columns, items };
    });
  }

  /** The items of a table from number `from` on, in batches. */
  async *items(
    { path, found }: KnownFile,
    listed: ListedTable,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    await assertUnchanged(found);
    const { name } = found.file;
    const file = openFile(path, name);
    let place = from;
    try {
      const table = tableIn(file, listed);
      const rows = new TableRows(file, table, this.#options.maxRowBytes);
      const maker = new ItemMaker(table, rows, encodingOf(file), this.#options);
      for (const batch of rows.batches(from)) {
        signal.throwIfAborted();
        const first = place;
        yield batch.map((row, index) => maker.item(row, first + index));
        place += batch.length;
      }
    } catch (error) {
      throw explained(error, name, `cannot be read behind row ${place} of ${listed.name}`);
    } finally {
      file.close();
    }
    await assertUnchanged(found);
  }

  #within<T>(path: string, { file: { name } }: FoundFile, trouble: string, work: (file: SqliteFile) => T): T {
    const file = openFile(path, name);
    try {
      return work(file);
    } catch (error) {
      throw explained(error, name, trouble);
    } finally {
      file.close();
    }
  }
}

function encodingOf(file: SqliteFile): string {
  return String(file.pragma('encoding', { simple: true })).toLowerCase();
}
