/** Which pipelines run for which workspaces, what of it is due, and who works. */
export const assignments = `
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
`;
