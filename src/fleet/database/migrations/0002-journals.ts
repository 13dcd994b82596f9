/** Who works on a workspace, and what was shipped of its journal and of its exports. */
export const journals = `
  CREATE TABLE longshore.holder (
    workspace text PRIMARY KEY,
    token bigint NOT NULL,
    worker text NOT NULL,
    until timestamptz NOT NULL,
    released boolean NOT NULL DEFAULT false
  );
  CREATE TABLE longshore.base (
    workspace text NOT NULL,
    generation bigint NOT NULL,
    part integer NOT NULL,
    token bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace, generation, part)
  );
  CREATE TABLE longshore.frames (
    workspace text NOT NULL,
    generation bigint NOT NULL,
    seq bigint NOT NULL,
    token bigint NOT NULL,
    parts integer NOT NULL,
    mark bytea NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace, generation, seq)
  );
  CREATE TABLE longshore.sync_state (
    workspace text NOT NULL,
    pipeline text NOT NULL,
    part integer NOT NULL,
    token bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace, pipeline, part)
  );
  -- What is encrypted does not get smaller: PostgreSQL need not try.
  ALTER TABLE longshore.base ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE longshore.frames ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE longshore.sync_state ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;
