export const addWaits = `
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
`;
