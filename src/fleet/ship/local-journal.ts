import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { type JournalFile, journalPath, openJournalFile } from '../../journal/index.ts';
import { openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { type LogChanges, type LogMark, logContainsMark, readLog } from './log.ts';

/**
 * The journal of a work dir as it is read to be shipped. As long as it is open no other process restarts or removes the log:
 * a connection of its own holds a read transaction, and lets go only around the own restart. Close it after every other
 * connection of this process: the system drops a process's locks on a file with the first descriptor that it closes.
 */
export class LocalJournal {
  readonly pageSize: number;
  /** Restarts the log; never waits for a lock. */
  readonly #writer: JournalFile;
  /** Read-only, so that it leaves the log where it is when it is the last one to close. */
  readonly #holder: SqliteFile;
  readonly #database: number;
  readonly #log: number;

  /** Opens the journal of a work dir, and makes one where there is none. */
  constructor(workDir: string) {
    const path = journalPath(workDir);
    this.#writer = openJournalFile(workDir, { shipped: true });
    this.#writer.pragma('busy_timeout = 0');
    this.#holder = openSqlite(path, { readonly: true });
    this.#hold();
    this.#database = openSync(path, 'r');
    this.#log = openSync(`${path}-wal`, 'r');
    this.pageSize = pageSizeOf(this.#database);
  }

  /** What was committed since a mark; undefined where another process has restarted the log since, or it is more than `most`. */
  changesSince(mark: LogMark, most = Number.POSITIVE_INFINITY): LogChanges | undefined {
    return readLog(this.#log, mark, { pageSize: this.pageSize, most: most / this.pageSize });
  }

  /**
   * Puts the log into the database and begins a new one. `unread` where it has commits behind `readUpTo`, so that nothing
   * was done; `busy` where another process reads it, so that it stays; `lost` where it may have had unread commits.
   */
  restartLog(readUpTo?: LogMark): 'restarted' | 'unread' | 'busy' | 'lost' {
    const before = this.#version();
    if (readUpTo !== undefined && this.changesSince(readUpTo)?.size !== undefined) return 'unread';
    this.#holder.exec('ROLLBACK');
    const isBusy = this.#writer.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
    this.#hold();
    if (this.#version() !== before) return 'lost';
    return isBusy ? 'busy' : 'restarted';
  }

  /** The database file in parts: newer pages are in the log, which stays meanwhile. */
  *parts(bytes: number): Generator<Buffer> {
    const end = fstatSync(this.#database).size;
    for (let at = 0; at < end; at += bytes) {
      const part = Buffer.alloc(Math.min(bytes, end - at));
      readSync(this.#database, part, 0, part.length, at);
      yield part;
    }
  }

  /** How many pages the database file has. */
  filePages(): number {
    return fstatSync(this.#database).size / this.pageSize;
  }

  /** Leaves the log as it is, so that the next one goes on with it. */
  close(): void {
    this.#writer.close();
    this.#holder.close();
    closeSync(this.#log);
    closeSync(this.#database);
  }

  /** Returns a number that changes with every commit of another connection, such as the run's. */
  #version(): number {
    return Number(this.#writer.pragma('data_version', { simple: true }));
  }

  #hold(): void {
    this.#holder.exec('BEGIN');
    this.#holder.prepare('SELECT count(*) FROM sqlite_master').get();
  }
}

/** Whether the journal of a work dir has everything up to a mark, and perhaps more. This process must not have it open. */
export function reachesMark(workDir: string, mark: LogMark): boolean {
  const path = journalPath(workDir);
  if (!existsSync(path) || !existsSync(`${path}-wal`)) return false;
  const database = openSync(path, 'r');
  const log = openSync(`${path}-wal`, 'r');
  try {
    return logContainsMark(log, mark, pageSizeOf(database));
  } finally {
    closeSync(log);
    closeSync(database);
  }
}

const pageSizeAt = 16;

function pageSizeOf(database: number): number {
  const found = Buffer.alloc(2);
  readSync(database, found, 0, 2, pageSizeAt);
  const size = found.readUInt16BE(0);
  // 65,536 does not fit into two bytes.
  return size === 1 ? 65_536 : size;
}
