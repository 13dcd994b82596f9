import type { PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import { within } from './boss.ts';
import { dispatchTo } from './dispatch.ts';
import { type FleetJob, type JobEnd, stateOf } from './job.ts';
import { jobQueue, queueSchema } from './names.ts';
import { putBack } from './withdraw.ts';

/** Fails a job of a workspace that this transaction has locked, to be tried again now, later or never. */
export async function failIn(
  client: PoolClient,
  boss: PgBoss,
  job: Pick<FleetJob, 'id' | 'workspace' | 'pipeline'>,
  end: JobEnd,
  again: 'now' | 'later' | 'never',
): Promise<void> {
  const { id, workspace, pipeline } = job;
  const at = [jobQueue, id];
  if (again === 'never') {
    await client.query(
      `UPDATE ${queueSchema}.job SET retry_limit = retry_count WHERE name = $1 AND id = $2`,
      at,
    );
  }
  await boss.fail(jobQueue, id, end, { db: within(client) });
  await client.query(
    `UPDATE longshore.assignment SET last_ended_at = now(), last_run = $3, failures = failures + 1
     WHERE workspace = $1 AND pipeline = $2`,
    [workspace, pipeline, JSON.stringify(end)],
  );
  if ((await stateOf(client, jobQueue, id)) !== 'retry') {
    await release(client, workspace);
    await dispatchTo(client, boss, [workspace]);
    return;
  }
  const { rows } = await client.query<{ paused: boolean }>(
    `UPDATE longshore.workspace SET worker = NULL, taken_at = NULL WHERE name = $1
     RETURNING paused_at IS NOT NULL AS paused`,
    [workspace],
  );
  if (rows[0]?.paused === true) await putBack(client, boss, [workspace]);
  else if (again === 'now') {
    await client.query(`UPDATE ${queueSchema}.job SET start_after = now() WHERE name = $1 AND id = $2`, at);
  }
}

/** The workspace has no job in the queue any more. */
export async function release(client: PoolClient, workspace: string): Promise<void> {
  await client.query(
    'UPDATE longshore.workspace SET job = NULL, worker = NULL, taken_at = NULL WHERE name = $1',
    [workspace],
  );
}
