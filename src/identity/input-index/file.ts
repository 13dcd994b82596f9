import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { flagColumn, textColumn } from '../../storage/columns.ts';
import { selectOne } from '../../storage/sql.ts';
import {
  attachScratchDatabase,
  createScratchDatabase,
  isStorageError,
  openScratchDatabase,
  openSqlite,
  removeDatabase,
  type SqliteConnection,
  withStorageErrors,
} from '../../storage/sqlite.ts';

/** "LSHI": the application id by which a SQLite file is recognised as an index. */
const applicationId = 0x4c534849;
/** The version of the tables; an index of another version is rebuilt. */
const version = 11;

/**
 * The persistent tables: the groups, and the other findings about the rows. They do not change once the index is
 * complete.
 */
const tables = `
CREATE TABLE built (
  fingerprint TEXT NOT NULL,
  complete    INTEGER NOT NULL,
  counts      TEXT NOT NULL                    -- JSON
) STRICT;

CREATE TABLE linked (                          -- rows in groups of two and more
  seq         INTEGER PRIMARY KEY,
  root        INTEGER NOT NULL                 -- the first row of the group
) STRICT;

CREATE TABLE linked_group (
  first       INTEGER PRIMARY KEY,
  last        INTEGER NOT NULL,
  size        INTEGER NOT NULL
) STRICT;

CREATE TABLE question (                        -- rows of people who may be the same as another person of the input
  seq         INTEGER NOT NULL,
  n           INTEGER NOT NULL,                -- from 0: a person may wait for several answers
  content     TEXT NOT NULL,                   -- JSON
  PRIMARY KEY (seq, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE reused (                          -- rows of people whose key another person also has
  seq         INTEGER PRIMARY KEY,
  content     TEXT NOT NULL                    -- JSON
) STRICT;

CREATE TABLE shared (                          -- rows whose values belong to other people of the input
  seq         INTEGER PRIMARY KEY,
  email       TEXT,                            -- JSON: the place of the row that holds the e-mail; null for none
  phone       TEXT
) STRICT;

CREATE TABLE rival (                           -- rows whose e-mail or phone other people of the input also have
  seq         INTEGER PRIMARY KEY,
  content     TEXT NOT NULL                    -- JSON: their names
) STRICT;

CREATE TABLE moved (identity TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE weak (phone TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE crowded (                         -- further e-mails and phones of too many people
  value       TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  number      INTEGER PRIMARY KEY,             -- in the order of the rows
  folded      TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  seq         INTEGER NOT NULL                 -- the first row that names it
) STRICT;

CREATE TABLE field (                           -- custom fields that have values
  name        TEXT PRIMARY KEY,
  seq         INTEGER NOT NULL                 -- the first row with one
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected (                        -- rows that are rejected, whatever the workspace has
  seq         INTEGER PRIMARY KEY,
  line        INTEGER NOT NULL,
  sheet       TEXT                             -- null unless several sheets are one input
) STRICT;
`;

/**
 * The tables of the scratch file, which is removed on close: the rows with their identifiers, the waiting rows and the
 * selected rows.
 */
const scratchTables = `
CREATE TABLE scratch.row (
  seq         INTEGER PRIMARY KEY,
  key         TEXT,
  email       TEXT,
  phone       TEXT,
  person      INTEGER NOT NULL,
  line        INTEGER NOT NULL,
  sheet       TEXT,                            -- null unless several sheets are one input
  first       TEXT,
  family      TEXT,
  birth_date  TEXT,
  overfull    INTEGER NOT NULL                 -- 1 if it has more tags than a contact takes
) STRICT;

CREATE TABLE scratch.further (                 -- e-mails and phones of a row besides its own
  seq         INTEGER NOT NULL,
  value       TEXT NOT NULL,
  PRIMARY KEY (seq, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE scratch.waiting (
  seq         INTEGER PRIMARY KEY,
  content     TEXT NOT NULL                    -- JSON
) STRICT;

CREATE TABLE scratch.selected (seq INTEGER PRIMARY KEY) STRICT;
`;

/** An open file of an index, and whether the index in it is complete. */
export interface OpenedInputIndex {
  readonly file: SqliteConnection;
  readonly complete: boolean;
}

/** Opens the complete index for this fingerprint at `path`, or replaces any file there by an empty index. */
export function openInputIndexDatabase(path: string, fingerprint: string): OpenedInputIndex {
  const found = openComplete(path, fingerprint);
  const file = found ?? createScratchDatabase(path);
  return withStorageErrors(path, () => {
    if (found === undefined) create(file, fingerprint);
    attachScratchDatabase(file, scratchPath(path), 'scratch');
    file.exec(scratchTables);
    return { file, complete: found !== undefined };
  });
}

/** Closes the file and removes the scratch file beside it. */
export function closeInputIndexDatabase(file: SqliteConnection): void {
  file.close();
  removeDatabase(scratchPath(file.name));
}

/**
 * Removes the index at `path`, which must be closed, and any files a crash left beside it; does nothing if there is
 * none.
 */
export function removeIndexFile(path: string): void {
  withStorageErrors(path, () => {
    removeDatabase(path);
    removeDatabase(scratchPath(path));
  });
}

/**
 * Makes all data durable and then marks the index as complete, so that a power failure leaves no incomplete index
 * marked.
 */
export function markIndexComplete(file: SqliteConnection, counts: unknown): void {
  file.pragma('main.synchronous = FULL');
  file.prepare('UPDATE built SET counts = ?').run(JSON.stringify(counts));
  file.prepare('UPDATE built SET complete = 1').run();
}

function create(file: SqliteConnection, fingerprint: string): void {
  file.exec(tables);
  file.prepare("INSERT INTO built (fingerprint, complete, counts) VALUES (?, 0, '{}')").run(fingerprint);
  file.pragma(`application_id = ${applicationId}`);
  file.pragma(`user_version = ${version}`);
}

function openComplete(path: string, fingerprint: string): SqliteConnection | undefined {
  if (!existsSync(path)) return undefined;
  let file: SqliteConnection | undefined;
  try {
    file = openScratchDatabase(path);
    if (isComplete(file, fingerprint)) return file;
  } catch (error) {
    // Not a database, a damaged one, or one that another process is still writing.
    if (!isStorageError(error)) throw error;
  }
  file?.close();
  return undefined;
}

/** Copies the index at `path` to `copy`, a new file; does nothing if it is not complete. */
export async function copyIndexFile(path: string, copy: string): Promise<void> {
  if (isCompleteAt(path)) await copyFile(path, copy);
}

function isCompleteAt(path: string): boolean {
  let file: SqliteConnection | undefined;
  try {
    file = openSqlite(path, { readonly: true, timeout: 0 });
    return isComplete(file);
  } catch (error) {
    if (isStorageError(error)) return false;
    throw error;
  } finally {
    file?.close();
  }
}

function isComplete(file: SqliteConnection, fingerprint?: string): boolean {
  if (file.pragma('application_id', { simple: true }) !== applicationId) return false;
  if (file.pragma('user_version', { simple: true }) !== version) return false;
  const built = selectOne(file, {
    fingerprint: textColumn,
    complete: flagColumn,
  })`SELECT fingerprint, complete FROM built`;
  return built?.complete === true && (fingerprint === undefined || built.fingerprint === fingerprint);
}

function scratchPath(path: string): string {
  return `${path}.scratch`;
}
