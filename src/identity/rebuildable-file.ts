import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { commandLine } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';

export type RebuildableFile = Database.Database;

/** SQLite's own memory for a file, and for what it sorts, in KiB: the rest stays on disk. */
const cacheKib = 16_000;

/** What a file needs that is only asked, in KiB. */
const quietKib = 2_000;

/** Gives back the memory that building took: from now on the file is only asked. */
export function quieten(file: RebuildableFile, names: readonly string[]): void {
  for (const name of names) file.pragma(`${name}.cache_size = -${quietKib}`);
  file.pragma('shrink_memory');
}

/** Creates an empty SQLite file (0600 in a 0700 folder) in place of whatever stands there. */
export function createRebuildableFile(path: string): RebuildableFile {
  return guarded(path, () => {
    createEmpty(path);
    return connect(path);
  });
}

/** Creates a file for what need not outlive the connection, and attaches it under `name`. */
export function attachScratch(file: RebuildableFile, path: string, name: string): void {
  createEmpty(path);
  file.prepare(`ATTACH ? AS ${name}`).run(path);
  tune(file, name);
}

/** Opens a file as it stands. */
export function connect(path: string): RebuildableFile {
  const file = new Database(path, { timeout: 0 });
  tune(file, 'main');
  file.pragma('temp_store = FILE');
  return file;
}

/** Nothing is waited for: what a power failure breaks is built again. (The binding allows no journal_mode OFF.) */
function tune(file: RebuildableFile, name: string): void {
  file.pragma(`${name}.journal_mode = MEMORY`);
  file.pragma(`${name}.synchronous = OFF`);
  file.pragma(`${name}.locking_mode = EXCLUSIVE`);
  file.pragma(`${name}.cache_size = -${cacheKib}`);
}

function createEmpty(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeRebuildable(path);
  closeSync(openSync(path, 'wx', 0o600));
}

/** Removes a file and what SQLite may have left beside it, which would be taken for the next one's. */
export function removeRebuildable(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

/** Runs `work`; where the file fails it, a full disk above all, throws a FatalError that says so. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new FatalError('unexpected', `this file could not be used: ${error.message}.`, {
      place: { file: path },
      next: `Free some disk space (also where TMPDIR points), then: ${commandLine(['resume'])}`,
      cause: error,
    });
  }
}

/** Whether the file, or the disk under it, is to blame. */
export function isStorageError(error: unknown): error is Error {
  if (error instanceof Database.SqliteError) return true;
  return error instanceof Error && 'syscall' in error;
}
