export const createRetries = `
ALTER TABLE row ADD COLUMN hash TEXT;          -- of its content; null for filtered rows, and where an older version wrote it
CREATE INDEX row_hash ON row (run, hash) WHERE outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered');

ALTER TABLE run ADD COLUMN writing TEXT;       -- JSON: how a text input is written; null for others
ALTER TABLE run ADD COLUMN columns TEXT;       -- JSON: the columns of the input; null where its format has none
ALTER TABLE run ADD COLUMN matched TEXT;       -- JSON: how the rows of a retry's input match those of the runs before it

CREATE TABLE counterpart (                     -- what a retry found of rows that the runs before it read
  run        INTEGER NOT NULL,                 -- the retry
  number     INTEGER NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('taken', 'changed', 'missing', 'removed', 'gone')),
  of_run     INTEGER NOT NULL,                 -- the row as it was
  of_seq     INTEGER NOT NULL,
  seq        INTEGER,                          -- the row as it is in the retry's input; null where it is not there
  line       INTEGER,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE weak_phone (                      -- phones that too many people of a run's input share
  run        INTEGER NOT NULL,
  phone      TEXT NOT NULL,
  PRIMARY KEY (run, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX counterpart_of ON counterpart (of_run, of_seq) WHERE kind IN ('taken', 'removed');
`;
