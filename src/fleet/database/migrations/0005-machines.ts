/** What each machine cannot do, how many machines a job has outlived, and which places and key were applied. */
export const machines = `
  ALTER TABLE longshore.worker ADD COLUMN not_ready text;
  -- By workspace: what is missing on this machine, and since when.
  ALTER TABLE longshore.worker ADD COLUMN refused jsonb NOT NULL DEFAULT '{}';
  ALTER TABLE longshore.assignment ADD COLUMN deaths integer NOT NULL DEFAULT 0;
  -- Null until the next apply: then they are not compared.
  ALTER TABLE longshore.fleet ADD COLUMN places jsonb;
  ALTER TABLE longshore.fleet ADD COLUMN key_id text;
`;
