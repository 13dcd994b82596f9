/**
 * The SQL of every version of the journal, in order: the version of a journal is the number of entries it has
 * run. Existing journals have run these exact texts, so a change of the tables is a new entry at the end.
 */
export const journalMigrations: readonly string[] = [
  // 1: create the tables of workspaces, runs, sessions, rows, steps, created contacts and lock holders
  `
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
  cells      TEXT,                             -- JSON of [column, cell], where a person has to look at the row again
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
`,
  // 2: add the tables of source keys, comments, merge proposals and tags
  `
CREATE TABLE known (                           -- whom a source key became, and what of it was last applied
  workspace   INTEGER NOT NULL,
  mapping     TEXT NOT NULL,                   -- its name
  key         TEXT NOT NULL,                   -- key:…, or where the mapping has no key the identity: email:…, phone:…
  contact     INTEGER,                         -- null until its id was met
  identifiers TEXT NOT NULL,                   -- JSON: what the contact was last sent with
  created     INTEGER NOT NULL,                -- 1 where this work dir created the contact
  applied     TEXT NOT NULL,                   -- JSON: field -> hash of the source value last applied
  line        INTEGER NOT NULL,                -- where the key stood in the input
  run         INTEGER NOT NULL,                -- the last run that saw the key in its input
  PRIMARY KEY (workspace, mapping, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_contact ON known (workspace, contact) WHERE contact IS NOT NULL;

CREATE TABLE comment (                         -- comments that were sent, or may have been: they cannot be read back
  workspace   INTEGER NOT NULL,
  mapping     TEXT NOT NULL,
  key         TEXT NOT NULL,                   -- as in known
  id          TEXT NOT NULL,                   -- the entry's name, with its key
  parts       TEXT NOT NULL,                   -- JSON: open, sent or uncertain for each part; left where policy left it out
  text        TEXT NOT NULL,                   -- hash
  sent_at     INTEGER,                         -- when something of it was last sent
  PRIMARY KEY (workspace, mapping, key, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE proposal (                        -- two contacts that a person may want merged
  run         INTEGER NOT NULL,
  seq         INTEGER NOT NULL,
  pair        INTEGER NOT NULL,
  older       INTEGER NOT NULL,                -- the two contacts
  newer       INTEGER NOT NULL,
  cells       TEXT NOT NULL,                   -- JSON of [column, cell]
  PRIMARY KEY (run, seq, pair)
) STRICT, WITHOUT ROWID;
CREATE INDEX proposal_pair ON proposal (older, newer, run);

CREATE TABLE tagged (                          -- the tags of a contact, for contact-tags.csv
  run         INTEGER NOT NULL,
  contact     INTEGER NOT NULL,
  email       TEXT,
  phone       TEXT,
  tags        TEXT NOT NULL,                   -- JSON
  PRIMARY KEY (run, contact)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (                             -- tags that the workspace is known to have
  workspace   INTEGER NOT NULL,
  name        TEXT NOT NULL,                   -- lower case
  PRIMARY KEY (workspace, name)
) STRICT, WITHOUT ROWID;

ALTER TABLE workspace ADD COLUMN contacts INTEGER;   -- how many contacts it had when they were last counted
`,
  // 3: add the table of attempts
  `
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
`,
  // 4: add run.counts and run.folder, for exports
  `
ALTER TABLE run ADD COLUMN counts TEXT;          -- JSON: what an export wrote, by kind; null for an import
ALTER TABLE run ADD COLUMN folder TEXT;          -- where a complete export was put
`,
  // 5: add the columns and tables that retries need
  `
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
`,
  // 6: add run.source
  `
ALTER TABLE run ADD COLUMN source TEXT;          -- the input that was named in place of the pipeline's own
`,
  // 7: add row.identifier
  `
ALTER TABLE row ADD COLUMN identifier TEXT;    -- email:… or phone:… of the contact that the row came to
`,
  // 8: rename the selection `held` to `deferred`
  `
UPDATE run SET selection = '{"kind":"deferred"}' WHERE selection = '{"kind":"held"}';
`,
  // 9: add run.plan
  `
ALTER TABLE run ADD COLUMN plan TEXT;          -- the plan (its path) of which the run does exactly what it has
`,
  // 10: add session.now and session.pace
  `
ALTER TABLE session ADD COLUMN now TEXT;       -- JSON: what is under way and what is waited for, at the last heartbeat
ALTER TABLE session ADD COLUMN pace TEXT;      -- JSON: how much was done by when, in at most some hundred samples
`,
  // 11: add run.undo, step.created and step.memory, for undos
  `
ALTER TABLE run ADD COLUMN undo TEXT;          -- JSON: which run it takes back, and what of it; null for others
ALTER TABLE step ADD COLUMN created INTEGER;   -- 1 where its call brought something new into being, 0 where it was there; null where unknown
ALTER TABLE step ADD COLUMN memory TEXT;       -- JSON: what the step changes in what is remembered of the contact; null for others
CREATE INDEX run_undo ON run (undo ->> '$.run') WHERE undo IS NOT NULL;
`,
  // 12: add forgotten people and pruned runs
  `
CREATE TABLE salt (value TEXT NOT NULL) STRICT;  -- what the hashes of forgotten people are made with; one row, once there is any
CREATE TABLE forgotten (                         -- people who asked to be forgotten: keyed hashes of identifiers and source keys
  hash       TEXT PRIMARY KEY,
  at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE row ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;   -- 1 where only the outcome is left, because its person was forgotten
ALTER TABLE run ADD COLUMN pruned TEXT;          -- JSON: when its rows and files were removed, and how many rows it had by outcome
`,
  // 13: add run.fields and row.fill
  `
ALTER TABLE run ADD COLUMN fields TEXT;        -- JSON: the fields that the mapping writes, in the order of row.fill
ALTER TABLE row ADD COLUMN fill TEXT;          -- which of them the contact had a value for, before and after the row
`,
  // 14: add run.left_behind
  `
ALTER TABLE run ADD COLUMN left_behind TEXT;   -- JSON: what the first pass over the input found that the import leaves behind
`,
  // 15: add the tables of questions and answers
  `
CREATE TABLE question (                        -- two that may be one person: a row, and another row or a contact
  run         INTEGER NOT NULL,
  seq         INTEGER NOT NULL,                -- the row that waits for the answer
  n           INTEGER NOT NULL,                -- from 0, where it waits for several
  line        INTEGER NOT NULL,                -- of that row in the input
  other_line  INTEGER,                         -- of the other row, if it is one
  contact     INTEGER,                         -- else the contact
  content     TEXT NOT NULL,                   -- JSON: keys, evidence, and what both sides say of who they are
  PRIMARY KEY (run, seq, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX question_line ON question (line, run);

CREATE INDEX known_alone ON known (workspace, mapping, identifiers)
  WHERE contact IS NULL AND instr(identifiers, ',') = 0;   -- whose profile a contact with one identifier is not

CREATE TABLE answer (                          -- what was answered, so that it is not asked again
  workspace   INTEGER NOT NULL,
  mapping     TEXT NOT NULL,
  one         TEXT NOT NULL,                   -- as in known; of two rows the lower one
  other       TEXT NOT NULL,                   -- as in known, or id:… for a contact
  answer      TEXT NOT NULL,                   -- same or different
  PRIMARY KEY (workspace, mapping, one, other)
) STRICT, WITHOUT ROWID;
`,
  // 16: add run.tables, the use of the rows of each input table
  `
ALTER TABLE run ADD COLUMN tables TEXT;        -- JSON: what became of the rows of each table of its input, without ids; null where it has none
`,
  // 17: add run.system and run.same_person
  `
ALTER TABLE run ADD COLUMN system TEXT;        -- JSON: the source's system, where it is named; mapping_name is what keys are remembered under
ALTER TABLE run ADD COLUMN same_person TEXT;   -- the rule of runs from before there were two; null: as the policy says
UPDATE run SET same_person = 'identifier' WHERE kind = 'import';
`,
  // 18: add the sessions of steps and creates, and the table of waits
  `
ALTER TABLE step ADD COLUMN session INTEGER;    -- which session sent it last; null: an older version
ALTER TABLE created ADD COLUMN session INTEGER; -- which session noted it; null: an older version
CREATE TABLE wait (                             -- what is asked again until there is an answer, and must not start over
  run        INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  name       TEXT NOT NULL,                     -- the step, or what of the row
  item       TEXT NOT NULL,
  kind       TEXT NOT NULL,                     -- what it is met with: 449, or no answer that can be read
  begun_at   INTEGER NOT NULL,
  session    INTEGER NOT NULL,                  -- whose clock that is
  PRIMARY KEY (run, seq, name, item, kind)
) STRICT, WITHOUT ROWID;
`,
  // 19: add run.sheets and row.sheet
  `
ALTER TABLE run ADD COLUMN sheets TEXT;        -- JSON: the sheets that its input reads as one; null where they are not several
ALTER TABLE row ADD COLUMN sheet TEXT;         -- the row's, where there are several
`,
  // 20: add the table of JSON templates
  `
CREATE TABLE json_template (                   -- the keys of packed JSON: step.intent, before and memory, known.applied
  number     INTEGER PRIMARY KEY,
  text       TEXT NOT NULL UNIQUE              -- JSON text with a line break in place of each value
) STRICT;
`,
  // 21: add the table of row counts and the index of steps in flight: a status reads no more in a run of millions of rows
  `
CREATE TABLE row_count (                        -- kept by the triggers below
  run        INTEGER NOT NULL,
  outcome    TEXT NOT NULL,
  code       TEXT NOT NULL,                     -- of a problem; empty: the count of the rows themselves
  n          INTEGER NOT NULL,
  PRIMARY KEY (run, outcome, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_sent ON step (run, name) WHERE state = 'sent';
INSERT INTO row_count SELECT run, outcome, '', count(*) FROM row GROUP BY run, outcome;
CREATE VIEW row_problem AS                      -- skips what is not valid JSON: reading the row itself reports it
  SELECT run, seq, outcome, iif(problem.type = 'object', coalesce(problem.value ->> '$.code', '?'), '?') AS code
  FROM row, json_each(iif(json_valid(row.problems), row.problems, '[]')) AS problem;
INSERT INTO row_count SELECT run, outcome, code, count(*) FROM row_problem GROUP BY run, outcome, code;

CREATE TRIGGER row_added AFTER INSERT ON row BEGIN
  INSERT INTO row_count VALUES (new.run, new.outcome, '', 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER row_problems_added AFTER INSERT ON row WHEN new.problems IS NOT NULL BEGIN
  INSERT INTO row_count SELECT run, outcome, code, 1 FROM row_problem WHERE run = new.run AND seq = new.seq
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER row_changing BEFORE UPDATE OF outcome, problems ON row BEGIN
  UPDATE row_count SET n = n - 1 WHERE run = old.run AND outcome = old.outcome AND code = '';
  INSERT INTO row_count SELECT run, outcome, code, -1 FROM row_problem WHERE run = old.run AND seq = old.seq
    ON CONFLICT DO UPDATE SET n = n - 1;
END;
CREATE TRIGGER row_changed AFTER UPDATE OF outcome, problems ON row BEGIN
  INSERT INTO row_count VALUES (new.run, new.outcome, '', 1) ON CONFLICT DO UPDATE SET n = n + 1;
  INSERT INTO row_count SELECT run, outcome, code, 1 FROM row_problem WHERE run = new.run AND seq = new.seq
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER row_removed BEFORE DELETE ON row BEGIN
  UPDATE row_count SET n = n - 1 WHERE run = old.run AND outcome = old.outcome AND code = '';
  INSERT INTO row_count SELECT run, outcome, code, -1 FROM row_problem WHERE run = old.run AND seq = old.seq
    ON CONFLICT DO UPDATE SET n = n - 1;
END;
`,
];
