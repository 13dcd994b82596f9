import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { type JournalDatabase, openJournalDatabase, toJournalPath } from '../../journal/index.ts';
import { openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';
import { readWalChanges, type WalChanges, type WalPosition, walContainsPosition } from './log.ts';

/**
 * A reader of a work dir's journal for shipping. While it is open, no other process restarts or removes the WAL: a read
 * transaction is held except during its own restarts. Close it after all other connections of this process, because
 * closing any descriptor of a file releases the process's locks on it.
 */
export class LocalJournalReader {
  readonly pageSize: number;
  /** The connection that restarts the WAL; it never waits for a lock. */
  readonly #writer: JournalDatabase;
  /** The connection that holds the WAL; read-only, so that closing it last does not checkpoint. */
  readonly #holder: SqliteConnection;
  readonly #database: number;
  readonly #log: number;

  /** Opens the journal of a work dir; creates it if it is missing. */
  constructor(workDir: string) {
    const path = toJournalPath(workDir);
    this.#writer = openJournalDatabase(workDir, { shipped: true });
    this.#writer.pragma('busy_timeout = 0');
    this.#holder = openSqlite(path, { readonly: true });
    this.#hold();
    this.#database = openSync(path, 'r');
    this.#log = openSync(`${path}-wal`, 'r');
    this.pageSize = pageSizeOf(this.#database);
  }

  /**
   * Returns the pages committed since a position; undefined if another process has restarted the WAL, or they exceed
   * `most` bytes.
   */
  changesSince(mark: WalPosition, most = Number.POSITIVE_INFINITY): WalChanges | undefined {
    return readWalChanges(this.#log, mark, { pageSize: this.pageSize, most: most / this.pageSize });
  }

  /**
   * Checkpoints the WAL into the database file and restarts it. Returns `unread`, and does nothing, if the WAL has
   * commits after `readUpTo`; `busy` if a reader in another process prevents the restart; `lost` if another connection
   * has committed meanwhile, so that unread commits may be gone.
   */
  restartLog(readUpTo?: WalPosition): 'restarted' | 'unread' | 'busy' | 'lost' {
    const before = this.#version();
    if (readUpTo !== undefined && this.changesSince(readUpTo)?.size !== undefined) return 'unread';
    this.#holder.exec('ROLLBACK');
    const isBusy = this.#writer.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) !== 0;
    this.#hold();
    if (this.#version() !== before) return 'lost';
    return isBusy ? 'busy' : 'restarted';
  }

  /** Yields the database file in parts of `bytes`; newer pages stay in the WAL. */
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

  /** Closes the files; the WAL stays for the next process. */
  close(): void {
    this.#writer.close();
    this.#holder.close();
    closeSync(this.#log);
    closeSync(this.#database);
  }

  /** Returns a number that changes with every commit of another connection. */
  #version(): number {
    return Number(this.#writer.pragma('data_version', { simple: true }));
  }

  #hold(): void {
    this.#holder.exec('BEGIN');
    this.#holder.prepare('SELECT count(*) FROM sqlite_master').get();
  }
}

/** True if the local journal has all commits up to a position. This process must not have it open. */
export function localJournalHasPosition(workDir: string, mark: WalPosition): boolean {
  const path = toJournalPath(workDir);
  if (!existsSync(path) || !existsSync(`${path}-wal`)) return false;
  const database = openSync(path, 'r');
  const log = openSync(`${path}-wal`, 'r');
  try {
    return walContainsPosition(log, mark, pageSizeOf(database));
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
