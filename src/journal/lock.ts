import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { currentCommand, hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';
import { numberColumn, textColumn } from '../storage/columns.ts';
import { replaceRow, runSql, select, selectOne } from '../storage/sql.ts';
import { ensureOwnerOnlyFile, isSqliteError, openSqlite, type SqliteConnection } from '../storage/sqlite.ts';
import { assertNotFleetWorkDir } from './fleet-marker.ts';
import type { JournalDatabase } from './open.ts';

const holderColumns = { pid: numberColumn, host: textColumn, since: numberColumn, seenAt: numberColumn };

export interface NamedLock {
  /** Records a heartbeat of the holder; other processes show its time in their error messages. */
  beat(): void;
  release(): void;
}

/**
 * Takes the lock of that name in this work dir; throws a FatalError('locked') if it is held, or while `forget` or
 * `prune` holds the whole work dir. The lock is an exclusive SQLite lock on an open file, so the operating system
 * releases it when the process ends. Throws a FatalError('usage') for the work dir of a fleet, unless `ofFleet` is set.
 */
export function takeLock(
  journal: JournalDatabase,
  workDir: string,
  name: string,
  clock: Clock,
  { ofFleet = false }: { readonly ofFleet?: boolean } = {},
): NamedLock {
  if (!ofFleet) assertNotFleetWorkDir(workDir);
  const id = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const path = join(workDir, 'locks', `${id}.lock`);
  ensureOwnerOnlyFile(path);
  const everyRun = shared(workDirLock(workDir));
  if (everyRun === undefined) throw workDirHeld();
  try {
    const file = exclusive(path);
    if (file === undefined) throw held(journal, id, name);
    try {
      return hold(journal, [file, everyRun], id, clock);
    } catch (error) {
      file.close();
      throw error;
    }
  } catch (error) {
    everyRun.close();
    throw error;
  }
}

/**
 * Returns the path of the lock file that runs share and that `forget` and `prune` lock exclusively, so that no run
 * starts meanwhile; creates the file where it is missing.
 */
function workDirLock(workDir: string): string {
  const path = join(workDir, 'locks', 'people.lock');
  ensureOwnerOnlyFile(path);
  return path;
}

function workDirHeld(): FatalError {
  return new FatalError('locked', 'something is being removed from this work dir by `forget` or `prune`.', {
    next: hint`Wait until that ends, then: ${currentCommand()}`,
  });
}

function hold(
  journal: JournalDatabase,
  files: readonly SqliteConnection[],
  id: string,
  clock: Clock,
): NamedLock {
  const holder = { lock: id, pid: process.pid, host: hostname(), since: clock.now() };
  const beat = () => void replaceRow(journal, 'holder', { ...holder, seen_at: clock.now() });
  beat();
  return {
    beat,
    release() {
      try {
        runSql(journal)`DELETE FROM holder WHERE lock = ${id}`;
      } catch {
        // The disk may be full or the journal closed. The record may then stay: it is only shown in messages, and the
        // next holder overwrites it.
      } finally {
        for (const file of files) file.close();
      }
    },
  };
}

function held(journal: JournalDatabase, id: string, name: string): FatalError {
  const holder = selectOne(journal, holderColumns)`
    SELECT pid, host, since, seen_at AS seenAt FROM holder WHERE lock = ${id}`;
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host} since ${new Date(holder.since).toISOString()} (last seen ${new Date(holder.seenAt).toISOString()})`;
  return new FatalError('locked', `${name} is locked by ${who}.`, {
    next: hint`Wait until it ends, or stop it. Its progress: ${toCommand('status')}`,
  });
}

/**
 * Takes every lock of a work dir, so that no run works there meanwhile. Throws a FatalError('locked') if a
 * run works there now, and a FatalError('usage') for the work dir of a fleet.
 */
export function takeAllLocks(journal: JournalDatabase, workDir: string): { release(): void } {
  assertNotFleetWorkDir(workDir);
  const files: SqliteConnection[] = [];
  const release = () => {
    for (const file of files) file.close();
  };
  const own = workDirLock(workDir);
  try {
    // The lock that keeps new runs out is tried first. If a run shares it, the loop below fails at the run's own lock,
    // with an error that names the process.
    const alone = exclusive(own);
    if (alone !== undefined) files.push(alone);
    const names = readdirSync(dirname(own)).filter(
      (name) => name.endsWith('.lock') && name !== basename(own),
    );
    for (const name of names)
      files.push(exclusive(join(dirname(own), name)) ?? failHeld(journal, name.slice(0, -'.lock'.length)));
    if (alone === undefined) throw workDirHeld();
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

function failHeld(journal: JournalDatabase, id: string): never {
  throw held(journal, id, 'this work dir');
}

/** Opens the file under a shared lock; undefined if another process holds its exclusive lock. */
function shared(path: string): SqliteConnection | undefined {
  return locked(path, (file) => {
    file.exec('BEGIN');
    file.prepare('SELECT 1 FROM sqlite_schema').get();
  });
}

/** Opens the file under its exclusive lock; undefined if another process holds any lock of it. */
function exclusive(path: string): SqliteConnection | undefined {
  return locked(path, (file) => file.exec('BEGIN EXCLUSIVE'));
}

function locked(path: string, take: (file: SqliteConnection) => unknown): SqliteConnection | undefined {
  const file = openSqlite(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
    take(file);
    return file;
  } catch (error) {
    file.close();
    if (isSqliteError(error, 'SQLITE_BUSY') || isSqliteError(error, 'SQLITE_LOCKED')) return undefined;
    throw error;
  }
}

/**
 * Returns true if a lock of this work dir is held whose recorded holder has this pid and took it at `at` (ms since
 * 1970) or before; hosts are not compared. Tries the lock itself, because another process may have the pid by now, and
 * a killed process leaves its record behind.
 */
export function isLockHolder(journal: JournalDatabase, workDir: string, pid: number, at: number): boolean {
  const held = select(journal, {
    lock: textColumn,
  })`SELECT lock FROM holder WHERE pid = ${pid} AND since <= ${at}`;
  return held.some(({ lock }) => isHeld(join(workDir, 'locks', `${lock}.lock`)));
}

function isHeld(path: string): boolean {
  let file: SqliteConnection | undefined;
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
