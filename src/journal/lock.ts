import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';
import { createOwnerOnly, isSqliteError, openSqlite, type SqliteFile } from '../storage/sqlite.ts';
import type { JournalFile } from './open.ts';

interface Holder {
  pid: number;
  host: string;
  since: number;
  seen_at: number;
}

export interface Lock {
  /** Tells others that the holder lives; it only informs. */
  beat(): void;
  release(): void;
}

/**
 * Takes the one lock for `name` in this work dir, or throws a FatalError 'locked' that says who holds it. The lock is
 * an exclusive SQLite lock kept open, so the operating system drops it with its holder, however that one ended.
 */
export function takeLock(journal: JournalFile, workDir: string, name: string, clock: Clock): Lock {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const path = join(workDir, 'locks', `${id}.lock`);
  createOwnerOnly(path);
  const file = openSqlite(path, { timeout: 0 });
  try {
    file.pragma('journal_mode = DELETE');
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (isSqliteError(error, 'SQLITE_BUSY') || isSqliteError(error, 'SQLITE_LOCKED'))
      throw held(journal, id, name);
    throw error;
  }
  try {
    return hold(journal, file, id, clock);
  } catch (error) {
    file.close();
    throw error;
  }
}

function hold(journal: JournalFile, file: SqliteFile, id: string, clock: Clock): Lock {
  const write = journal.prepare<[string, number, string, number, number]>(
    'INSERT OR REPLACE INTO holder (lock, pid, host, since, seen_at) VALUES (?, ?, ?, ?, ?)',
  );
  const since = clock.now();
  const beat = () => void write.run(id, process.pid, hostname(), since, clock.now());
  beat();
  return {
    beat,
    release() {
      try {
        journal.prepare<[string]>('DELETE FROM holder WHERE lock = ?').run(id);
      } catch {
        // A full disk, a closed journal: the note only informs, and the next holder writes over it.
      } finally {
        file.close();
      }
    },
  };
}

function held(journal: JournalFile, id: string, name: string): FatalError {
  const holder = journal
    .prepare<[string], Holder>('SELECT pid, host, since, seen_at FROM holder WHERE lock = ?')
    .get(id);
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host} since ${new Date(holder.since).toISOString()} (last seen ${new Date(holder.seen_at).toISOString()})`;
  return new FatalError('locked', `${name} is locked by ${who}.`, {
    next: `Wait until it ends, or stop it. Its progress: ${commandLine(['status'])}`,
  });
}
