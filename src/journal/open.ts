import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { selectCount } from '../storage/sql.ts';
import { ensureOwnerOnlyFile, isSqliteError, openSqlite, type SqliteConnection } from '../storage/sqlite.ts';
import { journalMigrations } from './migrations.ts';
import { createUnpackedViews } from './packed-json.ts';

export type JournalDatabase = SqliteConnection;

/** "LSHR": the application id by which a SQLite file is recognised as a journal. */
const applicationId = 0x4c534852;

/**
 * Opens or creates the journal of a work dir (0600 in a 0700 folder), and migrates it to the version of this program.
 * `durable: false` is for a journal that is deleted when the command ends: commits never wait for the disk. `shipped`
 * is for a journal that is also stored elsewhere: commits do not wait either, and the shipper checkpoints the log.
 * Throws a FatalError('input') for a file that cannot be opened, is not a journal, or is of a newer version.
 */
export function openJournalDatabase(
  workDir: string,
  { durable = true, shipped = false }: { readonly durable?: boolean; readonly shipped?: boolean } = {},
): JournalDatabase {
  const path = toJournalPath(workDir);
  ensureOwnerOnlyFile(path);
  const file = connect(path);
  try {
    adopt(file, path);
    useWriteAheadLog(file);
    file.pragma(`synchronous = ${durable ? (shipped ? 'NORMAL' : 'FULL') : 'OFF'}`);
    file.pragma('busy_timeout = 10000');
    // 32 MB of log between two checkpoints: the same pages are written many times over in between.
    file.pragma(`wal_autocheckpoint = ${shipped ? 0 : 8_000}`);
    file.pragma('cache_size = -8000');
    createUnpackedViews(file);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Copies the journal of a work dir, if it has one, into another folder; another process may write to it meanwhile. */
export async function copyJournal(workDir: string, folder: string): Promise<void> {
  const path = toJournalPath(workDir);
  if (!existsSync(path)) return;
  const copy = toJournalPath(folder);
  ensureOwnerOnlyFile(copy);
  const file = openSqlite(path, { readonly: true });
  try {
    await file.backup(copy);
  } finally {
    file.close();
  }
}

export function toJournalPath(workDir: string): string {
  return join(workDir, 'journal.db');
}

export function hasJournal(workDir: string): boolean {
  return existsSync(toJournalPath(workDir));
}

function connect(path: string): JournalDatabase {
  try {
    return openSqlite(path);
  } catch (cause) {
    if (!isSqliteError(cause)) throw cause;
    throw new FatalError('input', `the journal cannot be opened: ${cause.message}`, {
      place: { file: path },
      cause,
    });
  }
}

function adopt(file: JournalDatabase, path: string): void {
  // In one transaction, because another command may create the journal between two reads.
  const { id, version, tables } = file.transaction(() => ({
    id: readPragma(file, path, 'application_id'),
    version: readPragma(file, path, 'user_version'),
    tables: selectCount(file)`SELECT count(*) AS n FROM sqlite_master`,
  }))();
  if (id !== applicationId && (tables > 0 || id !== 0)) throw notOurs(path);
  if (version > journalMigrations.length) {
    throw new FatalError(
      'input',
      `the journal has version ${version}, written by a newer Longshore; this one reads versions up to ${journalMigrations.length}.`,
      {
        place: { file: path },
        next: 'Use the newer Longshore, or another --work-dir (without the memory of these runs).',
      },
    );
  }
  if (version < journalMigrations.length) migrate(file, path);
}

function migrate(file: JournalDatabase, path: string): void {
  const missing = file.transaction(() => {
    // The version is read again inside the transaction: another command may have migrated the journal since.
    for (const sql of journalMigrations.slice(readPragma(file, path, 'user_version'))) file.exec(sql);
    file.pragma(`application_id = ${applicationId}`);
    file.pragma(`user_version = ${journalMigrations.length}`);
  });
  missing.immediate();
}

/**
 * Switches to the write-ahead log. Tries again where SQLite refuses it: two commands that switch at the same time would
 * wait for each other, so one of them gets an error at once.
 */
function useWriteAheadLog(file: JournalDatabase, attempts = 5): void {
  try {
    file.pragma('journal_mode = WAL');
  } catch (error) {
    if (attempts === 1 || !isSqliteError(error, 'SQLITE_BUSY')) throw error;
    useWriteAheadLog(file, attempts - 1);
  }
}

function readPragma(file: JournalDatabase, path: string, name: string): number {
  try {
    return Number(file.pragma(name, { simple: true }));
  } catch (error) {
    if (isSqliteError(error, 'SQLITE_NOTADB') || isSqliteError(error, 'SQLITE_CORRUPT')) throw notOurs(path);
    throw error;
  }
}

function notOurs(path: string): FatalError {
  return new FatalError('input', 'this file is not a journal of Longshore.', {
    place: { file: path },
    next: 'Move the file away, or choose another folder with --work-dir.',
  });
}
