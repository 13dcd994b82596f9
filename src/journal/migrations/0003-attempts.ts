export const createAttempts = `
CREATE TABLE attempt (                         -- what the last attempt of a pipeline came to, whether or not a run began
  pipeline      TEXT NOT NULL,                 -- its name
  kind          TEXT NOT NULL,
  rehearsal     INTEGER NOT NULL,              -- 1 for those on the local workspace: they say nothing of the real one
  exit_code     INTEGER NOT NULL,
  ended_at      INTEGER NOT NULL,
  failures      INTEGER NOT NULL,              -- in a row, up to this one
  failing_since INTEGER,                       -- the first of them
  PRIMARY KEY (pipeline, kind, rehearsal)
) STRICT, WITHOUT ROWID;
`;
