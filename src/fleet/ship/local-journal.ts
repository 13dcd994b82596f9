import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { type JournalFile, journalPath, openJournalFile } from '../../journal/index.ts';
import { openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { type LogChanges, type LogMark, logContainsMark, readLogChanges } from './log.ts';

/**
 * A reader of a work dir's journal for shipping. While it is open no other process restarts or removes the WAL: a connection of
 * its own holds a read transaction, and releases it only for its own restarts. Close it after all other connections of this
 * process: the system drops a process's locks on a file with the first descriptor that it closes.
 */
export class LocalJournal {
  readonly pageSize: number;
  /** The connection that restarts the WAL; it never waits for a lock. */
  readonly #writer: JournalFile;
  /** The connection that holds the WAL; read-only, so that closing it last does not checkpoint. */
  readonly #holder: SqliteFile;
  readonly #database: number;
  readonly #log: number;

  /** Opens the journal of a work dir, and creates it where it is missing. */
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

  /**
   * Returns the pages committed since a position; undefined where another process has restarted the WAL, or where they exceed
   * `most` bytes.
   */
  changesSince(mark: LogMark, most = Number.POSITIVE_INFINITY): LogChanges | undefined {
    return readLogChanges(this.#log, mark, { pageSize: this.pageSize, most: most / this.pageSize });
  }

  /**
   * Checkpoints the WAL into the database file and restarts it. Returns `unread`, without doing so, where it has commits after
   * `readUpTo`; `busy` where a reader of another process keeps it; `lost` where it may have had unread commits.
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

  /** Yields the database file in parts; newer pages are in the WAL, which stays meanwhile. */
  *parts(bytes: number): Generator<Buffer> {
    const end = fstatSync(this.#database).size;
    for (let at = 0; at < end; at += bytes) {
      const part = Buffer.alloc(Math.min(bytes, end - at));
      readSync(this.#database, part, 0, part.length, at);
      yield part;
    }
  }

  /** Returns the number of pages in the database file. */
  filePages(): number {
    return fstatSync(this.#database).size / this.pageSize;
  }

  /** Closes the files and leaves the WAL as it is for the next process. */
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

/** Returns whether the local journal has all commits up to a position, and perhaps more. This process must not have it open. */
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
