import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { currentCommand, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { makeOwnerOnlyFolder } from './own-folder.ts';

export type SqliteConnection = BetterSqlite3.Database;
export type SqliteStatement<
  Parameters extends unknown[] | object = unknown[],
  Result = unknown,
> = BetterSqlite3.Statement<Parameters, Result>;

const [nodeMajor = 0] = process.versions.node.split('.').map(Number);

const load = createRequire(import.meta.url);

/**
 * The path of the SQLite library for this Node: version 12 aborts on Node 24.19 and newer, 13 does not load on Node 20.
 */
export const sqliteLibraryPath = load.resolve(nodeMajor >= 22 ? 'better-sqlite3-napi' : 'better-sqlite3');

/** Opens a SQLite file; creates it where it is missing, unless `fileMustExist` or `readonly` is set. */
export function openSqlite(path: string, options: BetterSqlite3.Options = {}): SqliteConnection {
  const Database: typeof BetterSqlite3 = load(sqliteLibraryPath);
  return new Database(path, options);
}

/** Returns true for an error of SQLite; with `code`, only for one that has this code or an extended form of it. */
export function isSqliteError(error: unknown, code = 'SQLITE_'): error is Error & { readonly code: string } {
  return (
    error instanceof Error &&
    error.name === 'SqliteError' &&
    'code' in error &&
    String(error.code).startsWith(code)
  );
}

/** Creates a file only its owner can read (0600 in a 0700 folder), or restricts an existing one to its owner. */
export function ensureOwnerOnlyFile(path: string): void {
  makeOwnerOnlyFolder(dirname(path));
  // SQLite would create it 0644; its -wal and -shm take the mode of the file.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const found = statSync(path);
  if (found.isFile() && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

/** Creates an empty file only its owner can read, replacing a database that exists there. */
export function createEmptyDatabaseFile(path: string): void {
  makeOwnerOnlyFolder(dirname(path));
  removeDatabase(path);
  closeSync(openSync(path, 'wx', 0o600));
}

/** Removes a database with its -journal, -wal and -shm files, which SQLite would apply to a new database there. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** Creates an owner-only scratch database: it is never synced, locked for this process, and rebuilt after a crash. */
export function createScratchDatabase(path: string): SqliteConnection {
  return withStorageErrors(path, () => {
    createEmptyDatabaseFile(path);
    return openScratchDatabase(path);
  });
}

/** Opens an existing scratch database with its contents. */
export function openScratchDatabase(path: string): SqliteConnection {
  const file = openSqlite(path, { timeout: 0 });
  tuneScratch(file, 'main');
  file.pragma('temp_store = FILE');
  return file;
}

/** Creates a second scratch file and attaches it to the first under `name`. */
export function attachScratchDatabase(file: SqliteConnection, path: string, name: string): void {
  createEmptyDatabaseFile(path);
  file.prepare(`ATTACH ? AS ${name}`).run(path);
  tuneScratch(file, name);
}

function tuneScratch(file: SqliteConnection, name: string): void {
  file.pragma(`${name}.journal_mode = MEMORY`);
  file.pragma(`${name}.synchronous = OFF`);
  file.pragma(`${name}.locking_mode = EXCLUSIVE`);
  // More than this saves no time, because the system caches the pages, too.
  file.pragma(`${name}.cache_size = -6000`);
}

/**
 * Shrinks the caches of scratch databases that are only read from now on; `names` are their names in this connection,
 * `main` or the name of an attached one.
 */
export function shrinkScratchCache(file: SqliteConnection, names: readonly string[]): void {
  for (const name of names) file.pragma(`${name}.cache_size = -2000`);
  file.pragma('shrink_memory');
}

/** The layout of a database that is kept between commands: its version, and the SQL that creates its tables. */
export interface DatabaseSchema {
  readonly version: number;
  readonly tables: string;
}

/** Creates or opens an owner-only database; a power failure may lose its last commits, but not damage it. */
export function openOrCreateDatabase(path: string, { version, tables }: DatabaseSchema): SqliteConnection {
  ensureOwnerOnlyFile(path);
  const file = openSqlite(path);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = NORMAL');
  // A small cache: several databases are open at once, and the system caches their pages anyway.
  file.pragma('cache_size = -4000');
  if (file.pragma('user_version', { simple: true }) === 0) {
    file.transaction(() => {
      file.exec(tables);
      file.pragma(`user_version = ${version}`);
    })();
  }
  return file;
}

/**
 * Opens an existing database of this version; returns undefined where it is missing, unusable or of another version.
 */
export function tryOpenDatabase(path: string, { version }: DatabaseSchema): SqliteConnection | undefined {
  if (!existsSync(path)) return undefined;
  let file: SqliteConnection | undefined;
  try {
    file = openSqlite(path, { fileMustExist: true });
    if (file.pragma('user_version', { simple: true }) === version) {
      file.pragma('cache_size = -4000');
      return file;
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
  file?.close();
  return undefined;
}

/**
 * Rewrites a database, so that neither its file nor its -wal file contains deleted data. Removes the temporary tables of
 * the connection.
 */
export function compactDatabase(file: SqliteConnection): void {
  // VACUUM makes its copy of the whole database where temporary tables are, and memory is too small for it.
  file.pragma('temp_store = FILE');
  file.exec('VACUUM');
  file.pragma('wal_checkpoint(TRUNCATE)');
}

/**
 * Runs `work` on a file of our own. Turns an error of SQLite or of the system, such as a full disk, into a
 * FatalError('unexpected') that names the file and the next command.
 */
export function withStorageErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new FatalError('unexpected', `this file cannot be used: ${error.message}.`, {
      place: { file: path },
      next: hint`Free some disk space (also where TMPDIR points), or choose another --work-dir. Then: ${currentCommand()}`,
      cause: error,
    });
  }
}

/** Returns true for an error of SQLite or of a system call. */
export function isStorageError(error: unknown): error is Error {
  return isSqliteError(error) || (error instanceof Error && 'syscall' in error);
}
