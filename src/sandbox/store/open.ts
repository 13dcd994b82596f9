import { randomUUID } from 'node:crypto';
import { textColumn } from '../../storage/columns.ts';
import { runSql, selectCount, selectOne } from '../../storage/sql.ts';
import { ensureOwnerOnlyFile, openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';

/** The version of the tables, kept as user_version: a file of another version is refused. */
const schemaVersion = 1;

const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  firstName TEXT, lastName TEXT, phone TEXT, email TEXT, emailKey TEXT,
  language TEXT, profilePic TEXT, countryCode TEXT,
  custom TEXT NOT NULL,
  status TEXT NOT NULL, assignee INTEGER, lifecycle TEXT,
  created_at INTEGER NOT NULL, isBlocked INTEGER NOT NULL,
  readyAt INTEGER NOT NULL,
  closingCategory TEXT, closingSummary TEXT
);
CREATE INDEX contacts_email ON contacts (emailKey) WHERE emailKey IS NOT NULL;
CREATE INDEX contacts_phone ON contacts (phone) WHERE phone IS NOT NULL;
CREATE TABLE tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL, emoji TEXT NOT NULL, colorCode TEXT NOT NULL
);
CREATE TABLE contact_tags (
  contact INTEGER NOT NULL, tag INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (contact, tag)
) WITHOUT ROWID;
CREATE INDEX contact_tags_tag ON contact_tags (tag);
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, contact INTEGER NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL
);
CREATE INDEX comments_contact ON comments (contact);
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, emailKey TEXT NOT NULL UNIQUE, pending INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE custom_fields (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL, dataType TEXT NOT NULL, allowedValues TEXT NOT NULL
);
CREATE TABLE closing_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, category TEXT NOT NULL UNIQUE, description TEXT
);
CREATE TABLE channels (id INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE TABLE templates (
  id INTEGER PRIMARY KEY AUTOINCREMENT, channel INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX templates_channel ON templates (channel);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, contact INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX messages_contact ON messages (contact);
`;

export interface SandboxDatabase {
  readonly db: SqliteConnection;
  /** The id of the workspace, made once and kept in the file. */
  readonly sandboxId: string;
}

/** Opens the workspace's owner-only database, or one in memory; throws an Error if the file is not of this version. */
export function openSandboxDatabase(file: string | undefined): SandboxDatabase {
  if (file !== undefined) ensureOwnerOnlyFile(file);
  const db = openSqlite(file ?? ':memory:');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  prepareTables(db, file);
  db.function('folded', { deterministic: true }, (text: unknown) => foldCase(String(text)));
  return { db, sandboxId: sandboxId(db) };
}

/** Returns a text in the form in which searches compare: without regard to case and to the composition of accents. */
export function foldCase(text: string): string {
  // Upper case, because ß and ς have several forms in lower case.
  return text.normalize('NFC').toUpperCase().normalize('NFC');
}

function prepareTables(db: SqliteConnection, file: string | undefined): void {
  const version = db.pragma('user_version', { simple: true });
  if (version === schemaVersion) return;
  if (version !== 0 || selectCount(db)`SELECT count(*) AS n FROM sqlite_master` !== 0) {
    db.close();
    throw new Error(`${file} is not a sandbox of this version. Choose another file, or remove it.`);
  }
  db.transaction(() => {
    db.exec(schema);
    db.pragma(`user_version = ${schemaVersion}`);
  })();
}

function sandboxId(db: SqliteConnection): string {
  runSql(db)`INSERT OR IGNORE INTO meta (key, value) VALUES ('sandboxId', ${randomUUID()})`;
  const row = selectOne(db, { value: textColumn })`SELECT value FROM meta WHERE key = 'sandboxId'`;
  if (row === undefined) throw new Error('The sandbox file has no id.');
  return row.value;
}
