export const addDoubles = `
CREATE TABLE double (                          -- people whom the run created without a look-up, and who were there, too
  run        INTEGER NOT NULL,
  seq        INTEGER NOT NULL,                 -- the row
  line       INTEGER NOT NULL,
  contacts   TEXT NOT NULL,                    -- JSON: the ids that its identifiers lead to
  identifiers TEXT NOT NULL,                   -- JSON
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
`;
