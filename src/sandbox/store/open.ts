import { randomUUID } from 'node:crypto';
import { createOwnerOnly, openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { schema, schemaVersion } from './schema.ts';

export interface OpenDatabase {
  readonly db: SqliteFile;
  /** Made once, kept in the file. */
  readonly sandboxId: string;
}

/** Opens the workspace's database, private to its owner, or one in memory; throws where the file is not one of ours. */
export function openDatabase(file: string | undefined): OpenDatabase {
  if (file !== undefined) createOwnerOnly(file);
  const db = openSqlite(file ?? ':memory:');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  prepareTables(db, file);
  db.function('folded', { deterministic: true }, (text: unknown) => folded(String(text)));
  return { db, sandboxId: sandboxId(db) };
}

/** A text without regard to case and to how its accents are composed. */
export function folded(text: string): string {
  // Upper case, because ß and ς have several forms in lower case.
  return text.normalize('NFC').toUpperCase().normalize('NFC');
}

function prepareTables(db: SqliteFile, file: string | undefined): void {
  const version = db.pragma('user_version', { simple: true });
  if (version === schemaVersion) return;
  const tables = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_master').get();
  if (version !== 0 || tables?.n !== 0) {
    db.close();
    throw new Error(`${file} is not a sandbox of this version. Choose another file, or remove it.`);
  }
  db.transaction(() => {
    db.exec(schema);
    db.pragma(`user_version = ${schemaVersion}`);
  })();
}

function sandboxId(db: SqliteFile): string {
  const insert = db.prepare<[string]>("INSERT OR IGNORE INTO meta (key, value) VALUES ('sandboxId', ?)");
  insert.run(randomUUID());
  const row = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'sandboxId'").get();
  if (row === undefined) throw new Error('The sandbox file has no id.');
  return row.value;
}
