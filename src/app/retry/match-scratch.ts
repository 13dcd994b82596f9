import type { SqliteFile, Statement } from '../../storage/sqlite.ts';

/** `now` is each row of the input that is not surely one that was finished before. */
export const matchTables = `
CREATE TABLE now (
  seq      INTEGER PRIMARY KEY,
  line     INTEGER NOT NULL,
  key      TEXT,
  hash     TEXT NOT NULL,
  origin   TEXT,                         -- run number and hash of the row that it says it was
  cells    TEXT,
  earlier  INTEGER,
  done     INTEGER NOT NULL DEFAULT 0    -- 1 where it was finished before after all
) STRICT;
CREATE TABLE changed (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, earlier INTEGER NOT NULL) STRICT;
CREATE TABLE pair (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE) STRICT;
`;

/** The statements of a match, prepared. */
export interface MatchStatements {
  readonly ofKey: Statement<[key: string], { id: number | null; open: number }>;
  readonly meetKey: Statement<[key: string]>;
  /** A journal of an older version has no hash to compare. */
  readonly sameKey: Statement<[key: string, hash: string, again: string], { id: number }>;
  readonly meetHash: Statement<[hash: string, hasKey: number]>;
  readonly change: Statement<[seq: number, line: number, earlier: number]>;
  readonly keep: Statement<
    [number, number, key: string | null, hash: string, origin: string | null, cells: string | null]
  >;
}

export function matchStatements(scratch: SqliteFile): MatchStatements {
  return {
    ofKey: scratch.prepare('SELECT min(id) AS id, coalesce(max(open), 0) AS open FROM earlier WHERE key = ?'),
    meetKey: scratch.prepare('UPDATE earlier SET met = 1 WHERE key = ?'),
    sameKey: scratch.prepare(
      `SELECT id FROM earlier WHERE key = ? AND (hash = ? OR hash IS NULL
         OR EXISTS (SELECT 1 FROM version v WHERE v.id = earlier.id AND v.hash = ?)) LIMIT 1`,
    ),
    meetHash: scratch.prepare(
      `UPDATE earlier SET met = 1 WHERE id = (
         SELECT id FROM earlier WHERE hash = ? AND met = 0 AND open = 0 AND (? = 1 OR key IS NULL) LIMIT 1)`,
    ),
    change: scratch.prepare('INSERT INTO changed (seq, line, earlier) VALUES (?, ?, ?)'),
    keep: scratch.prepare('INSERT INTO now (seq, line, key, hash, origin, cells) VALUES (?, ?, ?, ?, ?, ?)'),
  };
}
