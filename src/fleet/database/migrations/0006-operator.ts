/** What a person has asked of a pipeline, its lists and its last tries; and how far each journal has come. */
export const operator = `
  ALTER TABLE longshore.assignment ADD COLUMN asked jsonb;
  CREATE INDEX assignment_asked ON longshore.assignment (workspace) WHERE asked IS NOT NULL;
  -- Encrypted: the last chunk of frames that was saved, and its mark. Null until the next one.
  ALTER TABLE longshore.holder ADD COLUMN reached bytea;
  -- Stays when an assignment leaves the fleet.
  CREATE TABLE longshore.attempt (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace text NOT NULL,
    pipeline text NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT now(),
    ending jsonb NOT NULL
  );
  CREATE INDEX attempt_of ON longshore.attempt (workspace, pipeline, id);
  -- Encrypted, in parts, until the job that it is for has ended.
  CREATE TABLE longshore.list (
    workspace text NOT NULL,
    name text NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace, name, part)
  );
`;
