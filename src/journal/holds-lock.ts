import { join } from 'node:path';
import { isSqliteError, openSqlite, type SqliteFile } from '../storage/sqlite.ts';
import type { JournalFile } from './open.ts';

/**
 * Whether the process of this machine that had that number at `at` (ms) still holds a lock of this work dir. The lock is
 * the truth: a number may have gone to another process since, and the note of a holder outlives one that was killed.
 */
export function holdsLock(journal: JournalFile, workDir: string, pid: number, at: number): boolean {
  return journal
    .prepare<[number, number], { lock: string }>('SELECT lock FROM holder WHERE pid = ? AND since <= ?')
    .all(pid, at)
    .some(({ lock }) => isHeld(join(workDir, 'locks', `${lock}.lock`)));
}

function isHeld(path: string): boolean {
  let file: SqliteFile | undefined;
  try {
    file = openSqlite(path, { timeout: 0, readonly: true, fileMustExist: true });
    file.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isSqliteError(error, 'SQLITE_BUSY') || isSqliteError(error, 'SQLITE_LOCKED')) return true;
    if (isSqliteError(error, 'SQLITE_CANTOPEN')) return false;
    throw error;
  } finally {
    file?.close();
  }
}
