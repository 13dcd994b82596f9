import type { RebuildableFile } from '../../../identity/rebuildable-file.ts';

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
export function matchStatements(scratch: RebuildableFile) {
  return {
    ofKey: scratch.prepare<[string], { id: number | null; open: number }>(
      'SELECT min(id) AS id, coalesce(max(open), 0) AS open FROM earlier WHERE key = ?',
    ),
    meetKey: scratch.prepare<[string]>('UPDATE earlier SET met = 1 WHERE key = ?'),
    /** A journal of an older version has no hash to compare. */
    sameKey: scratch.prepare<[string, string, string], { id: number }>(
      `SELECT id FROM earlier WHERE key = ? AND (hash = ? OR hash IS NULL
         OR EXISTS (SELECT 1 FROM version v WHERE v.id = earlier.id AND v.hash = ?)) LIMIT 1`,
    ),
    meetHash: scratch.prepare<[string, number]>(
      `UPDATE earlier SET met = 1 WHERE id = (
         SELECT id FROM earlier WHERE hash = ? AND met = 0 AND open = 0 AND (? = 1 OR key IS NULL) LIMIT 1)`,
    ),
    change: scratch.prepare<[number, number, number]>(
      'INSERT INTO changed (seq, line, earlier) VALUES (?, ?, ?)',
    ),
    keep: scratch.prepare<[number, number, string | null, string, string | null, string | null]>(
      'INSERT INTO now (seq, line, key, hash, origin, cells) VALUES (?, ?, ?, ?, ?, ?)',
    ),
  };
}
