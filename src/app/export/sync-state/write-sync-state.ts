import {
  openOrCreateDatabase,
  removeDatabase,
  type SqliteConnection,
  withStorageErrors,
} from '../../../storage/sqlite.ts';
import type { StagedExport } from '../staging/staging.ts';
import { hashContent } from './content-hash.ts';
import { buildSyncStatePath, type SyncState, syncStateSchema } from './sync-state.ts';

/** The data that the sync state of an export is written from. */
export interface SyncStateInput {
  readonly staging: StagedExport;
  /** The sync state that this export continued from; undefined for a full export. */
  readonly before: SyncState | undefined;
  readonly folder: string;
  readonly run: string;
  /** The time (Unix seconds) since which statuses will be read again; undefined for none. */
  readonly refreshFrom: number | undefined;
}

/** Writes the sync state of an export durably, replacing one of an earlier attempt. */
export function writeSyncState({ staging, before, folder, run, refreshFrom }: SyncStateInput): void {
  const path = buildSyncStatePath(folder, run);
  staging.settle();
  removeDatabase(path);
  withStorageErrors(path, () => {
    const db = openOrCreateDatabase(path, syncStateSchema);
    try {
      attach(db, 'staging', staging.path);
      if (before !== undefined) attach(db, 'before', before.path);
      db.transaction(() => {
        fill(db);
        if (before !== undefined) noteAway(db);
        if (refreshFrom === undefined) return;
        if (before !== undefined) carryOver(db, refreshFrom);
        noteRecent(db, refreshFrom);
      })();
      db.prepare(
        "INSERT INTO message_order SELECT json_extract(value, '$') FROM staging.state WHERE name = 'order' AND value <> 'null'",
      ).run();
      db.exec('DETACH DATABASE staging');
      if (before !== undefined) db.exec('DETACH DATABASE before');
      db.pragma('synchronous = FULL');
      // The sync state must be one file, without a write-ahead log beside it.
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
  });
}

function attach(db: SqliteConnection, name: string, path: string): void {
  db.prepare(`ATTACH DATABASE ? AS ${name}`).run(path);
  db.pragma(`${name}.cache_size = -4000`);
}

// If a contact's messages were not all read, the newly read ones may have gaps: only those known before count as known.
function fill(db: SqliteConnection): void {
  db.exec(`
    INSERT INTO contact (id, given, newest)
    SELECT c.id, c.given, CASE WHEN c.reading IN ('unreadable', 'gone') THEN c.known ELSE
      max(c.known, coalesce((SELECT max(m.id) FROM staging.message m WHERE m.contact = c.seq), 0)) END
    FROM staging.contact c`);
}

/**
 * Notes the contacts of earlier exports that were not listed this time, as those that the filter leaves out for a while:
 * when they are back, only their new messages are exported.
 */
function noteAway(db: SqliteConnection): void {
  db.exec(`
    INSERT INTO away (id, newest)
    SELECT id, newest FROM (SELECT id, newest FROM before.contact WHERE newest > 0
      UNION ALL SELECT id, newest FROM before.away)
    WHERE id NOT IN (SELECT id FROM contact)`);
}

/** Copies the recent messages of the previous sync state. */
function carryOver(db: SqliteConnection, refreshFrom: number): void {
  db.prepare(
    `INSERT INTO recent (id, contact, at, content)
     SELECT r.id, r.contact, r.at, r.content FROM before.recent r
     WHERE r.at >= ? AND r.contact IN (SELECT id FROM contact)`,
  ).run(refreshFrom);
}

function noteRecent(db: SqliteConnection, refreshFrom: number): void {
  db.function('content_of', { deterministic: true }, (given) => hashContent(JSON.parse(String(given))));
  db.prepare(
    `INSERT OR REPLACE INTO recent (id, contact, at, content)
     SELECT m.id, c.id, m.at, content_of(m.given)
     FROM staging.message m JOIN staging.contact c ON c.seq = m.contact WHERE m.at >= ?`,
  ).run(refreshFrom);
}
