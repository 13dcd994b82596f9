import { createHash } from 'node:crypto';
import { type ColumnReaders, numberColumn, type TypedRow, textColumn } from '../../storage/columns.ts';
import {
  hasRow,
  type PreparedQuery,
  prepareQuery,
  replaceRow,
  type SqlValue,
  selectOne,
} from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { createCommentStore } from './comments.ts';
import { contactRowColumns, createContactStore } from './contacts.ts';
import { createMessageStore, messageRowColumns } from './messages.ts';
import { openSandboxDatabase, type SandboxDatabase } from './open.ts';
import {
  createChannelStore,
  createClosingNoteStore,
  createCustomFieldStore,
  createUserStore,
  templateRowColumns,
  userRowColumns,
} from './settings.ts';
import { createTagStore } from './tags.ts';

/** Runs a query and returns all of its rows; the statements used last stay prepared. */
export type SelectRows<Row> = (sql: string, params: readonly SqlValue[]) => readonly Row[];

/** The store of a whole local workspace, in one database. */
export type SandboxStore = ReturnType<typeof openSandboxStore>;

const mostPrepared = 100;

export function openSandboxStore(file: string | undefined) {
  const database = openSandboxDatabase(file);
  const { db, sandboxId } = database;
  const customFields = createCustomFieldStore(db);
  /** Runs `change` in a transaction: all of it or nothing. */
  const transaction = <T>(change: () => T): T => {
    if (db.inTransaction) return change();
    try {
      return db.transaction(change).immediate();
    } catch (error) {
      // The cached definitions may include some that were rolled back.
      customFields.read();
      throw error;
    }
  };
  return {
    sandboxId,
    database,
    contacts: createContactStore(db),
    customFields,
    tags: createTagStore(db),
    comments: createCommentStore(db),
    users: createUserStore(db),
    closingNotes: createClosingNoteStore(db),
    messages: createMessageStore(db),
    channels: createChannelStore(db),
    /** Queries whose text varies. */
    queries: {
      contacts: createQuery(db, contactRowColumns),
      customFields: createQuery(db, { id: numberColumn, name: textColumn }),
      users: createQuery(db, userRowColumns),
      templates: createQuery(db, templateRowColumns),
      messages: createQuery(db, messageRowColumns),
    },
    transaction,
    /** Replaces the contents with those of another workspace; keeps the id. */
    become(other: { readonly database: SandboxDatabase }): void {
      transaction(() => copyContents(other.database.db, db));
      customFields.read();
    },
    /** Runs an asynchronous `change` in a transaction; nothing else may use the store meanwhile. */
    async longTransaction(change: () => Promise<void>): Promise<void> {
      db.exec('BEGIN IMMEDIATE');
      try {
        await change();
        db.exec('COMMIT');
      } finally {
        if (db.inTransaction) db.exec('ROLLBACK');
      }
    },
    /**
     * Returns the fingerprint of the seed that the workspace was filled from: `copy` for a copy of another workspace,
     * `1` if an older version stored none; undefined if it was not filled yet.
     */
    seededWith: () =>
      selectOne(db, { value: textColumn })`SELECT value FROM meta WHERE key = ${'seeded'}`?.value,
    markSeeded: (fingerprint: string) => replaceRow(db, 'meta', { key: 'seeded', value: fingerprint }),
    /** Returns true if these bytes were added before; stores their checksum. */
    wasAdded(bytes: Uint8Array): boolean {
      const key = `added:${createHash('sha256').update(bytes).digest('hex')}`;
      if (hasRow(db)`SELECT value FROM meta WHERE key = ${key}`) return true;
      replaceRow(db, 'meta', { key, value: '1' });
      return false;
    },
    close: () => void db.close(),
  };
}

function createQuery<C extends ColumnReaders>(db: SqliteConnection, columns: C): SelectRows<TypedRow<C>> {
  const prepared = new Map<string, PreparedQuery<TypedRow<C>>>();
  return (sql, params) => {
    const found = prepared.get(sql) ?? prepareQuery(db, columns, sql);
    prepared.delete(sql);
    prepared.set(sql, found);
    const oldest = prepared.keys().next();
    if (prepared.size > mostPrepared && oldest.done !== true) prepared.delete(oldest.value);
    return found.all(...params);
  };
}

/** Replaces the rows of all tables of `to` with those of `from`, a workspace of the same version. `to` keeps its id. */
function copyContents(from: SqliteConnection, to: SqliteConnection): void {
  // The table of the id counters comes last, because every insert changes it.
  const tables = from
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'sqlite_sequence'",
    )
    .pluck()
    .all();
  for (const table of tables) {
    const copied = table === 'meta' ? "WHERE key <> 'sandboxId'" : '';
    to.exec(`DELETE FROM ${table} ${copied}`);
    const rows = from.prepare<[], SqlValue[]>(`SELECT * FROM ${table} ${copied}`).raw();
    const places = rows.columns().map(() => '?');
    const add = to.prepare<SqlValue[]>(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
    for (const row of rows.iterate()) add.run(...row);
  }
}
