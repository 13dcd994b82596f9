/** Which exports are in their place, or on their way there; a sync state is that of one of them. */
export const deliveries = `
  CREATE TABLE longshore.delivery (
    workspace text NOT NULL,
    pipeline text NOT NULL,
    run text NOT NULL,
    token bigint NOT NULL,
    folder text NOT NULL,
    name text NOT NULL,
    counts jsonb NOT NULL,
    exit_code integer NOT NULL,
    complete boolean NOT NULL,
    PRIMARY KEY (workspace, pipeline, run)
  );
  ALTER TABLE longshore.sync_state ADD COLUMN run text NOT NULL;
  ALTER TABLE longshore.sync_state DROP CONSTRAINT sync_state_pkey;
  ALTER TABLE longshore.sync_state ADD PRIMARY KEY (workspace, pipeline, run, part);
`;
