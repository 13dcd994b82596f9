export const addForgotten = `
CREATE TABLE salt (value TEXT NOT NULL) STRICT;  -- what the hashes of forgotten people are made with; one row, once there is any
CREATE TABLE forgotten (                         -- people who asked to be forgotten: keyed hashes of identifiers and source keys
  hash       TEXT PRIMARY KEY,
  at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE row ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;   -- 1 where only the outcome is left, because its person was forgotten
ALTER TABLE run ADD COLUMN pruned TEXT;          -- JSON: when its rows and files were removed, and how many rows it had by outcome
`;
