/** The migrations of the fleet's tables, in order; a released one is never changed. */
export const migrations: readonly string[] = [
  // Workspaces, assignments with what is due, and workers.
  `
CREATE TABLE longshore.fleet (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  name text NOT NULL,
  -- Of the fleet.yaml that was applied.
  fingerprint text NOT NULL,
  limits jsonb NOT NULL,
  applied_at timestamptz NOT NULL
);
CREATE TABLE longshore.workspace (
  name text PRIMARY KEY,
  base_url text NOT NULL,
  settings jsonb NOT NULL,
  paused_at timestamptz,
  -- The one job of the workspace that is in the queue or at work, and which worker has taken it.
  job uuid UNIQUE,
  worker text,
  taken_at timestamptz
);
CREATE INDEX workspace_worker ON longshore.workspace (worker) WHERE worker IS NOT NULL;
CREATE TABLE longshore.assignment (
  workspace text NOT NULL REFERENCES longshore.workspace (name) ON DELETE CASCADE,
  pipeline text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('import', 'export')),
  schedule jsonb,
  priority integer NOT NULL,
  settings jsonb NOT NULL,
  next_at timestamptz,
  -- Since when a success is owed.
  due_at timestamptz,
  -- Since when a job is wanted that is not in the queue yet, whether a person waits for it, and which run it continues.
  wanted_at timestamptz,
  urgent boolean NOT NULL DEFAULT false,
  resume_run text,
  last_started_at timestamptz,
  last_success_at timestamptz,
  last_ended_at timestamptz,
  last_run jsonb,
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, pipeline)
);
CREATE INDEX assignment_next ON longshore.assignment (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX assignment_wanted ON longshore.assignment (workspace) WHERE wanted_at IS NOT NULL;
CREATE TABLE longshore.worker (
  name text PRIMARY KEY,
  host text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  jobs jsonb NOT NULL DEFAULT '[]',
  draining boolean NOT NULL DEFAULT false
);
`,
  // Leases, shipped journals and sync states.
  `
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
  -- Encrypted bytes cannot be compressed, so PostgreSQL does not try.
  ALTER TABLE longshore.base ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE longshore.frames ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE longshore.sync_state ALTER COLUMN bytes SET STORAGE EXTERNAL;
`,
  // Deliveries of exports, complete or in progress, and the run of each sync state.
  `
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
`,
  // The removals of people from a workspace's journal.
  `
  -- One id for each removal: a work dir that does not record the last one may still have data of the person.
  ALTER TABLE longshore.holder ADD COLUMN forgotten text[] NOT NULL DEFAULT '{}';
`,
  // The refused jobs of each machine, the deaths of machines by job, and the applied places and key.
  `
  ALTER TABLE longshore.worker ADD COLUMN not_ready text;
  -- By workspace: why this machine refuses its jobs, and since when.
  ALTER TABLE longshore.worker ADD COLUMN refused jsonb NOT NULL DEFAULT '{}';
  ALTER TABLE longshore.assignment ADD COLUMN deaths integer NOT NULL DEFAULT 0;
  -- Null until the next apply; until then, workers do not compare them with their own.
  ALTER TABLE longshore.fleet ADD COLUMN places jsonb;
  ALTER TABLE longshore.fleet ADD COLUMN key_id text;
`,
  // Users' requests with their lists, the latest attempts of each pipeline, and the end of each journal.
  `
  ALTER TABLE longshore.assignment ADD COLUMN asked jsonb;
  CREATE INDEX assignment_asked ON longshore.assignment (workspace) WHERE asked IS NOT NULL;
  -- The encrypted end of the journal: its last saved chunk of frames, and the position in the WAL. Null until the next
  -- chunk is saved.
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
  -- Encrypted, in parts; kept while a request or a job refers to it.
  CREATE TABLE longshore.list (
    workspace text NOT NULL,
    name text NOT NULL,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (workspace, name, part)
  );
`,
  // The time each pipeline was last triggered.
  `
  -- By its schedule or by a person; null until the next time. Unlike called_at, due_at keeps the time of the first
  -- success that is still owed.
  ALTER TABLE longshore.assignment ADD COLUMN called_at timestamptz;
`,
  // The time each worker has shut down.
  `
  -- Null while the worker runs, and if it died. A machine that has just left may come back, so jobs that only it can
  -- run wait for it.
  ALTER TABLE longshore.worker ADD COLUMN left_at timestamptz;
`,
  // The failures of each pipeline in a row, and the alert about them.
  `
  -- The time of the first failure since the last success; null where there is none.
  ALTER TABLE longshore.assignment ADD COLUMN failing_since timestamptz;
  UPDATE longshore.assignment SET failing_since = last_ended_at WHERE failures > 0;
  -- The failure of the last delivered alert; null if none was delivered, or once another one said that it is over.
  ALTER TABLE longshore.assignment ADD COLUMN reported jsonb;
`,
];
