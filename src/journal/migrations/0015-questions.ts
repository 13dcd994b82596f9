export const addQuestions = `
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
`;
