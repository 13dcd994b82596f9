import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { FatalError } from '../../../model/fatal-error.ts';

/** 4 MB: several are open at once, and the system keeps their pages anyway. */
export const cacheSize = 'cache_size = -4000';

/** A database of our own that can be made again: 0600 in a 0700 folder. */
export function openPrivate(path: string, version: number, tables: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  const db = new Database(path);
  // A commit that a power failure takes back is fetched again: what it knew of its cursor goes with it.
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma(cacheSize);
  if (db.pragma('user_version', { simple: true }) === 0) {
    db.transaction(() => {
      db.exec(tables);
      db.pragma(`user_version = ${version}`);
    })();
  }
  return db;
}

/** Opens a database that is there and whole; undefined where there is none that can be used. */
export function openExisting(path: string, version: number): Database.Database | undefined {
  if (!existsSync(path)) return undefined;
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { fileMustExist: true });
    if (db.pragma('user_version', { simple: true }) === version) {
      db.pragma(cacheSize);
      return db;
    }
  } catch (error) {
    // Not sound: whatever it held is fetched again.
    if (!(error instanceof Database.SqliteError)) throw error;
  }
  db?.close();
  return undefined;
}

/** Removes a database and what SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** Does work on a file of the work dir; a full disk becomes an error that says what to do. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new FatalError('unexpected', `what was fetched could not be written: ${error.message}.`, {
      place: { file: path },
      next: 'Free some disk space, then run the same command again: the export continues.',
      cause: error,
    });
  }
}
