import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { EarlierCopy } from '../../model/ports.ts';
import { flag, nullable, number, text } from '../../storage/columns.ts';
import { change, query, selectCount, selectOne } from '../../storage/sql.ts';
import { createKept, guarded, openKept, removeDatabase, type SqliteFile } from '../../storage/sqlite.ts';

/** A contact as it is copied. */
export interface CopiedContact {
  readonly id: number;
  /** One JSON object. */
  readonly json: string;
  /** A JSON array; null where messages are not copied. */
  readonly messages: string | null;
}

/** A contact with its place in the copy, 1 being the first. */
export interface CopiedRow extends CopiedContact {
  readonly seq: number;
}

/** How far a copy has come. */
export interface CopyState extends EarlierCopy {
  /** The cursor of the next page; null before the first. */
  readonly cursor: string | null;
  readonly whole: boolean;
}

const stateColumns = { begunAt: number, run: nullable(text), cursor: nullable(text), whole: flag };
const copiedRow = { seq: number, id: number, json: text, messages: nullable(text) };

const tables = `
CREATE TABLE contact (
  seq      INTEGER PRIMARY KEY,
  id       INTEGER NOT NULL UNIQUE,
  json     TEXT NOT NULL,
  messages TEXT
) STRICT;
CREATE TABLE state (
  begun_at INTEGER NOT NULL,
  run      TEXT,
  cursor   TEXT,
  whole    INTEGER NOT NULL
) STRICT;
`;

const layout = { version: 1, tables };

/** Where the copy of a workspace stands in the spool folder. */
export function copyPath(spoolDir: string, purpose: string): string {
  const name = createHash('sha256').update(purpose).digest('hex').slice(0, 16);
  return join(spoolDir, `workspace-${name}.db`);
}

/** Says which run reads a copy from now on. */
export function bindCopy(path: string, run: string): void {
  const copy = CopyFile.open(path);
  copy?.bind(run);
  copy?.close();
}

/** A copy of a workspace's contacts on disk: a page at a time, each contact once, continued at the page where it was left. */
export class CopyFile {
  readonly path: string;
  readonly #db: SqliteFile;

  private constructor(path: string, db: SqliteFile) {
    this.path = path;
    this.#db = db;
  }

  /** Begins a copy in place of whatever is there: a page that a power failure takes back is copied again. */
  static create(path: string, begunAt: number): CopyFile {
    return guarded(path, () => {
      removeDatabase(path);
      const db = createKept(path, layout);
      change(db)`INSERT INTO state (begun_at, whole) VALUES (${begunAt}, 0)`;
      return new CopyFile(path, db);
    });
  }

  /** Opens the copy at a path; undefined where there is none that can be used. */
  static open(path: string): CopyFile | undefined {
    const db = openKept(path, layout);
    return db && new CopyFile(path, db);
  }

  get state(): CopyState {
    const row = selectOne(this.#db, stateColumns)`
      SELECT begun_at AS begunAt, run, cursor, whole FROM state`;
    if (row === undefined) throw new Error(`${this.path} has no description`);
    return row;
  }

  count(): number {
    return selectCount(this.#db)`SELECT count(*) AS n FROM contact`;
  }

  /** Adds a page, and where the next one begins; a contact that was met before stays as it was. Gives how many are new. */
  add(contacts: readonly CopiedContact[], next: string | null): number {
    return guarded(this.path, () => this.#add(contacts, next));
  }

  /** The copy has all contacts and outlives a power failure. */
  finish(): void {
    guarded(this.path, () => {
      this.#db.pragma('synchronous = FULL');
      change(this.#db)`UPDATE state SET whole = 1`;
      // One file again, with nothing beside it.
      this.#db.pragma('journal_mode = DELETE');
    });
  }

  /** Says which run reads the copy from now on. */
  bind(run: string): void {
    guarded(this.path, () => change(this.#db)`UPDATE state SET run = ${run}`);
  }

  /** Rows behind a place, in their order: at most so many, fewer where they are large, none at the end. */
  after(seq: number, most: { readonly rows: number; readonly characters: number }): readonly CopiedRow[] {
    const rows: CopiedRow[] = [];
    let characters = 0;
    const select = query(
      this.#db,
      copiedRow,
      'SELECT seq, id, json, messages FROM contact WHERE seq > ? ORDER BY seq LIMIT ?',
    );
    for (const row of select.iterate(seq, most.rows)) {
      rows.push(row);
      characters += row.json.length + (row.messages?.length ?? 0);
      if (characters >= most.characters) break;
    }
    return rows;
  }

  close(): void {
    this.#db.close();
  }

  #add(contacts: readonly CopiedContact[], next: string | null): number {
    const insert = this.#db.prepare<[number, number, string, string | null]>(
      'INSERT INTO contact (seq, id, json, messages) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    return this.#db.transaction(() => {
      const before = this.count();
      let seq = before + 1;
      for (const { id, json, messages } of contacts) seq += insert.run(seq, id, json, messages).changes;
      change(this.#db)`UPDATE state SET cursor = ${next}`;
      return seq - before - 1;
    })();
  }
}
