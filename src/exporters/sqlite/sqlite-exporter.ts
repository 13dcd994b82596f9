import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { ExportKind, ExportRecord } from '../../model/export-record.ts';
import { openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';
import {
  defineExporter,
  type ExportWriteRequest,
  type ExportWriter,
  type WrittenExportFile,
} from '../exporter.ts';
import { createChangedRecordError, parseStoredObject } from '../value.ts';
import { tableLayouts } from './layouts.ts';
import type { DatabaseRow, RecordTableWriter } from './record-table.ts';

const name = 'workspace.db';
const perTransaction = 20_000;
/** The number of records that are inserted before the event loop takes a turn. */
const perTurn = 500;

// The file need not be durable while it is written: an incomplete one is discarded, and a complete one is synced as a
// whole. The journal mode is MEMORY, because the binding ignores OFF.
const withoutDurability = [
  'journal_mode = MEMORY',
  'synchronous = OFF',
  'locking_mode = EXCLUSIVE',
  'foreign_keys = OFF',
];

/** Writes all kinds of records of an export into one database. */
class WorkspaceDatabase implements ExportWriter {
  readonly #path: string;
  readonly #database: SqliteConnection;
  readonly #tables: ReadonlyMap<ExportKind, RecordTableWriter>;
  #waiting = 0;

  private constructor(path: string, database: SqliteConnection, { tables }: ExportWriteRequest) {
    this.#path = path;
    this.#database = database;
    for (const setting of [...withoutDurability, 'cache_size = -16000']) database.pragma(setting);
    this.#tables = new Map(
      tables.map((table) => [table.kind, tableLayouts[table.kind].create(database, table)]),
    );
  }

  static async create(request: ExportWriteRequest): Promise<WorkspaceDatabase> {
    const path = join(request.folder, name);
    // SQLite would create the file readable by everyone.
    await (await open(path, 'wx', 0o600)).close();
    const database = openSqlite(path);
    try {
      return new WorkspaceDatabase(path, database, request);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async write(kind: ExportKind, records: readonly ExportRecord[]): Promise<void> {
    const table = this.#tables.get(kind);
    if (table === undefined) throw new Error(`${kind} were not announced to this writer`);
    for (let from = 0; from < records.length; from += perTurn) {
      if (!this.#database.inTransaction) this.#database.exec('BEGIN');
      const turn = records.slice(from, from + perTurn);
      for (const record of turn) table.insert(record);
      this.#waiting += turn.length;
      if (this.#waiting >= perTransaction) this.#commit();
      await setImmediate();
    }
  }

  async finish(): Promise<readonly WrittenExportFile[]> {
    this.#commit();
    const written: WrittenExportFile[] = [];
    for (const [kind, table] of this.#tables) {
      table.complete();
      written.push({ name, kind, rows: this.#rowsOf(tableLayouts[kind].table) });
      await setImmediate();
    }
    this.#database.close();
    const handle = await open(this.#path, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    return written;
  }

  async abandon(): Promise<void> {
    this.#database.close();
  }

  #commit(): void {
    if (this.#database.inTransaction) this.#database.exec('COMMIT');
    this.#waiting = 0;
  }

  #rowsOf(table: string): number {
    return this.#database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  }
}

const pageSize = 500;

type StoredRow = DatabaseRow & { readonly _row: number };

/** Yields the records of a kind of an exported database. */
async function* recordsIn(file: string, kind: ExportKind): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const database = openSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const { table, restore } = tableLayouts[kind];
    const restored = restore(database);
    const normalOf = (row: StoredRow): DatabaseRow => {
      if (row.normal !== null) return parseStoredObject(String(row.normal), file, row._row);
      try {
        return restored(row);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw createChangedRecordError(file, row._row, 'has a column that is not JSON');
      }
    };
    const page = database.prepare<[number, number], StoredRow>(
      `SELECT rowid AS _row, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    );
    let last = 0;
    for (;;) {
      const rows = page.all(last, pageSize);
      for (const row of rows) {
        const given = parseStoredObject(String(row.given), file, row._row);
        yield { ...normalOf(row), given };
      }
      last = rows.at(-1)?._row ?? last;
      if (rows.length < pageSize) return;
    }
  } finally {
    database.close();
  }
}

/** The SQLite exporter: one database of all kinds, with keys, indexes and `given` of every record. */
export const sqliteExporter = defineExporter({
  name: 'sqlite',
  words: {
    files: '`workspace.db` for all kinds.',
    holds: 'Tables with keys and indexes; see the guide.',
  },
  options: z.strictObject({}),
  open: WorkspaceDatabase.create,
  read: recordsIn,
});
