export const createPeople = `
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
`;
