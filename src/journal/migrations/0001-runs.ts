export const createRuns = `
CREATE TABLE workspace (
  number     INTEGER PRIMARY KEY,
  place      TEXT NOT NULL UNIQUE,             -- the base URL, or sandbox:<id>
  users      TEXT NOT NULL,                    -- JSON: ids seen there
  fields     TEXT NOT NULL                     -- JSON: ids seen there
) STRICT;

CREATE TABLE run (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL,
  pipeline   TEXT NOT NULL,
  file       TEXT NOT NULL,                    -- the pipeline's path
  workspace  INTEGER NOT NULL REFERENCES workspace (number),
  target     TEXT NOT NULL,                    -- what --workspace said, for a resume
  mapping    TEXT NOT NULL,                    -- fingerprint
  mapping_name TEXT NOT NULL,
  input      TEXT NOT NULL,                    -- fingerprint
  input_name TEXT NOT NULL,
  items      INTEGER NOT NULL,
  selection  TEXT NOT NULL,                    -- JSON: which rows of the input, and why
  full       INTEGER NOT NULL,                 -- 1 where every row is compared with the workspace, whatever is remembered
  state      TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped', 'interrupted', 'failed')),
  exit_code  INTEGER,
  message    TEXT,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER
) STRICT;
CREATE INDEX run_pipeline ON run (pipeline, kind, workspace, selection, number);

CREATE TABLE session (                         -- one process working on a run
  number     INTEGER PRIMARY KEY,
  run        INTEGER NOT NULL REFERENCES run (number),
  started_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  pid        INTEGER NOT NULL,
  host       TEXT NOT NULL,
  requests   TEXT NOT NULL DEFAULT '{}'        -- JSON: counts by method and path template
) STRICT;
CREATE INDEX session_run ON session (run);

CREATE TABLE row (
  run        INTEGER NOT NULL,
  seq        INTEGER NOT NULL,                 -- 0 is the first item of the input
  line       INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  key        TEXT,
  contact    INTEGER,
  problems   TEXT,                             -- JSON
  cells      TEXT,                             -- JSON of [column, cell], where somebody has to look at the row again
  raw        TEXT,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX row_outcome ON row (run, outcome, seq) WHERE outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered');

CREATE TABLE step (
  run        INTEGER NOT NULL,
  seq        INTEGER NOT NULL,                 -- the row; below 0 for steps of the run itself
  name       TEXT NOT NULL,                    -- the operation
  item       TEXT NOT NULL,                    -- which of several, as a comment's id; empty where there is only one
  state      TEXT NOT NULL CHECK (state IN ('planned', 'sent', 'acked', 'refused', 'failed', 'uncertain')),
  intent     TEXT NOT NULL,                    -- JSON: what is sent
  before     TEXT,                             -- JSON: what stood there
  sent_at    INTEGER,
  PRIMARY KEY (run, seq, name, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_uncertain ON step (run, seq) WHERE state = 'uncertain';

CREATE TABLE created (                         -- people this work dir has just created: not readable at once
  workspace  INTEGER NOT NULL,
  identifier TEXT NOT NULL,
  sent_at    INTEGER NOT NULL,
  PRIMARY KEY (workspace, identifier)
) STRICT, WITHOUT ROWID;

CREATE TABLE holder (                          -- who holds a lock; it informs, the lock itself is a file
  lock       TEXT PRIMARY KEY,
  pid        INTEGER NOT NULL,
  host       TEXT NOT NULL,
  run        TEXT,
  since      INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
