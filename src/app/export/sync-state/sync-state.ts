import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  jsonObjectColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../../../storage/columns.ts';
import { iteratePages, queryPageSize } from '../../../storage/pages.ts';
import { select, selectCount, selectOne } from '../../../storage/sql.ts';
import { removeDatabase, type SqliteConnection, tryOpenDatabase } from '../../../storage/sqlite.ts';
import type { MessageSyncPoint } from '../staging/staging.ts';

const away = `
CREATE TABLE IF NOT EXISTS away (          -- contacts of earlier exports that were not listed this time
  id     INTEGER PRIMARY KEY,
  newest INTEGER NOT NULL                  -- of their messages that were exported
) STRICT;
`;

const tables = `
CREATE TABLE contact (
  id     INTEGER PRIMARY KEY,
  given  TEXT NOT NULL,
  newest INTEGER NOT NULL                  -- of its messages; 0 for none
) STRICT;
CREATE TABLE recent (                      -- messages whose statuses are read again
  id      INTEGER PRIMARY KEY,
  contact INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  content TEXT NOT NULL                    -- a hash
) STRICT;
CREATE INDEX recent_contact ON recent (contact, at, id);
CREATE TABLE message_order (value TEXT NOT NULL) STRICT;
${away}`;

export const syncStateSchema = { version: 1, tables };

/** Returns the folder with the sync states of a pipeline and workspace; it may not exist yet. */
export function buildSyncStateFolderPath(workDir: string, pipeline: string, place: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([pipeline, place]))
    .digest('hex')
    .slice(0, 16);
  return join(workDir, 'exports', key);
}

/** Returns the path of a run's sync state in a folder. */
export function buildSyncStatePath(folder: string, run: string): string {
  return join(folder, `${run}.db`);
}

/** Removes the sync states of all runs but one. */
export function removeOtherSyncStates(folder: string, run: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.db') && name !== `${run}.db`) removeDatabase(join(folder, name));
  }
}

const knownContact = { id: numberColumn, given: jsonObjectColumn };
type KnownContact = TypedRow<typeof knownContact>;

/** The contacts and newest messages of a complete export, from which an incremental export finds the changes. */
export class SyncState {
  readonly path: string;
  readonly #db: SqliteConnection;

  private constructor(path: string, db: SqliteConnection) {
    this.path = path;
    this.#db = db;
  }

  /** Opens the sync state of a run; undefined if it is missing or of another version. */
  static open(folder: string, run: string): SyncState | undefined {
    const path = buildSyncStatePath(folder, run);
    const db = tryOpenDatabase(path, syncStateSchema);
    // An older Longshore did not have this table.
    db?.exec(away);
    return db && new SyncState(path, db);
  }

  /** Returns the order in which messages are listed; null if unknown. */
  order(): 'newest' | 'oldest' | null {
    const value = selectOne(this.#db, { value: textColumn })`SELECT value FROM message_order`?.value;
    return value === 'newest' || value === 'oldest' ? value : null;
  }

  /**
   * Returns the id of a contact's newest known message (0 for none), and the id above which messages are read. If
   * `refreshFrom` (Unix seconds) is set, the second id is below the contact's oldest message since that time, because
   * the statuses of these messages are read again.
   */
  messageSync(contact: number, refreshFrom: number | undefined): MessageSyncPoint {
    const known = selectCount(this.#db)`
      SELECT coalesce((SELECT newest FROM contact WHERE id = ${contact}),
        (SELECT newest FROM away WHERE id = ${contact}), 0) AS n`;
    if (refreshFrom === undefined) return { known, floor: known };
    const oldest = selectOne(this.#db, { id: nullableColumn(numberColumn) })`
      SELECT min(id) AS id FROM recent WHERE contact = ${contact} AND at >= ${refreshFrom}`;
    return { known, floor: Math.min(known, (oldest?.id ?? known + 1) - 1) };
  }

  /** Returns the content hash of a message whose status may have changed; undefined for other messages. */
  recentContent(message: number): string | undefined {
    return selectOne(this.#db, { content: textColumn })`SELECT content FROM recent WHERE id = ${message}`
      ?.content;
  }

  /** Returns the exported record of a contact; undefined if the contact was not exported. */
  contact(id: number): Readonly<Record<string, unknown>> | undefined {
    return selectOne(this.#db, { given: jsonObjectColumn })`SELECT given FROM contact WHERE id = ${id}`
      ?.given;
  }

  /** Returns all contacts, sorted by id, page by page. */
  contacts(): Iterable<readonly KnownContact[]> {
    return iteratePages(
      (last?: KnownContact) => select(this.#db, knownContact)`
      SELECT id, given FROM contact WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${queryPageSize}`,
    );
  }

  close(): void {
    this.#db.close();
  }
}
