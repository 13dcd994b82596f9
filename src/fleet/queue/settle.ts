import type { Pool, PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { toPgBossDatabase } from './boss.ts';
import { dispatchWorkspaceJobs } from './dispatch.ts';
import { type ActiveJob, type JobResult, readJobState } from './job.ts';
import { jobQueueName, queueSchemaName } from './names.ts';
import { unqueueWaitingJobs } from './withdraw.ts';

/** Fails a job, which is retried later or never; the transaction must have locked its workspace. */
export async function failJob(
  client: PoolClient,
  boss: PgBoss,
  job: Pick<ActiveJob, 'id' | 'workspace' | 'pipeline'>,
  end: JobResult,
  again: 'later' | 'never',
): Promise<void> {
  const { id, workspace } = job;
  const at = [jobQueueName, id];
  if (again === 'never') {
    await client.query(
      `UPDATE ${queueSchemaName}.job SET retry_limit = retry_count WHERE name = $1 AND id = $2`,
      at,
    );
  }
  await boss.fail(jobQueueName, id, end, { db: toPgBossDatabase(client) });
  await saveJobResult(client, job, end, 1);
  if ((await readJobState(client, jobQueueName, id)) !== 'retry') {
    await clearWorkspaceJob(client, workspace);
    await dispatchWorkspaceJobs(client, boss, [workspace]);
    return;
  }
  await becameFree(client, boss, workspace);
}

/**
 * Saves a job's result as the last one of its assignment and as an attempt; adds `failures` to the failures in a row.
 */
export async function saveJobResult(
  client: PoolClient,
  { workspace, pipeline }: Pick<ActiveJob, 'workspace' | 'pipeline'>,
  end: JobResult,
  failures = 0,
): Promise<void> {
  await client.query(
    `UPDATE longshore.assignment SET last_ended_at = now(), last_run = $3, failures = failures + $4,
       failing_since = CASE WHEN $4 > 0 THEN COALESCE(failing_since, now()) ELSE failing_since END
     WHERE workspace = $1 AND pipeline = $2`,
    [workspace, pipeline, JSON.stringify(end), failures],
  );
  await saveAttempt(client, { workspace, pipeline }, end);
}

/** The maximum number of stored attempts of an assignment. */
const mostAttempts = 20;

/** Saves the result of an attempt, and removes the oldest beyond `mostAttempts`. */
export async function saveAttempt(
  client: PoolClient,
  { workspace, pipeline }: Pick<ActiveJob, 'workspace' | 'pipeline'>,
  end: JobResult,
): Promise<void> {
  await client.query('INSERT INTO longshore.attempt (workspace, pipeline, ending) VALUES ($1, $2, $3)', [
    workspace,
    pipeline,
    JSON.stringify(end),
  ]);
  await client.query(
    `DELETE FROM longshore.attempt WHERE workspace = $1 AND pipeline = $2 AND id <= (
       SELECT id FROM longshore.attempt WHERE workspace = $1 AND pipeline = $2 ORDER BY id DESC OFFSET ${mostAttempts} LIMIT 1)`,
    [workspace, pipeline],
  );
}

/**
 * Removes the stored answer lists, of one workspace or of all, that are named by no request and by no waiting, running
 * or dead job.
 */
export async function removeUnusedAnswerLists(client: Pool | PoolClient, workspace?: string): Promise<void> {
  const names = (asked: string) => `${asked}->>'list', ${asked}->>'from', ${asked}->>'decided'`;
  await client.query(
    `DELETE FROM longshore.list l WHERE ($1::text IS NULL OR workspace = $1)
       AND NOT EXISTS (SELECT 1 FROM longshore.assignment a
         WHERE a.workspace = l.workspace AND l.name IN (${names('a.asked')}))
       AND NOT EXISTS (SELECT 1 FROM ${queueSchemaName}.job j
         WHERE j.state < 'completed' AND j.data->>'workspace' = l.workspace AND l.name IN (${names("(j.data->'asked')")}))`,
    [workspace ?? null],
  );
}

/**
 * Returns an active job to the queue without counting an attempt; it is taken again after `pauseMs` at the earliest.
 */
export async function requeueWithoutCountingAttempt(
  client: PoolClient,
  boss: PgBoss,
  { id, workspace }: Pick<ActiveJob, 'id' | 'workspace'>,
  pauseMs: number,
): Promise<void> {
  // Taking a job that was started before adds 1 to its count of retries, so 1 is subtracted here; a job at its first
  // attempt is marked as never started instead.
  await client.query(
    `UPDATE ${queueSchemaName}.job SET
       state = (CASE WHEN retry_count = 0 THEN 'created' ELSE 'retry' END)::${queueSchemaName}.job_state,
       started_on = CASE WHEN retry_count = 0 THEN NULL ELSE started_on END,
       retry_count = greatest(0, retry_count - 1), start_after = now() + $3 * interval '1 ms'
     WHERE name = $1 AND id = $2 AND state = 'active'`,
    [jobQueueName, id, pauseMs],
  );
  await becameFree(client, boss, workspace);
}

/**
 * Counts a crash of the process or machine during a job, and requeues the job; at the fleet's limit the job fails for
 * good, and the reason is returned.
 */
export async function requeueCrashedJob(
  client: PoolClient,
  boss: PgBoss,
  job: Pick<ActiveJob, 'id' | 'workspace' | 'pipeline'>,
  end: JobResult,
  pauseMs: number,
): Promise<string | undefined> {
  const [counted] = await selectRows(
    client,
    z.object({ deaths: z.int(), most: z.int().nullable() }),
    `UPDATE longshore.assignment SET deaths = deaths + 1 WHERE workspace = $1 AND pipeline = $2
     RETURNING deaths, (SELECT (limits->>'deaths')::int FROM longshore.fleet) AS most`,
    [job.workspace, job.pipeline],
  );
  const { deaths = 0, most } = counted ?? {};
  if (deaths < (most ?? usualDeaths)) {
    await saveJobResult(client, job, end);
    await requeueWithoutCountingAttempt(client, boss, job, pauseMs);
    return undefined;
  }
  const message = `${end.message ?? 'the worker died.'} That happened ${deaths} times in a row: the job may be what ends its workers.`;
  await failJob(client, boss, job, { ...end, message }, 'never');
  return message;
}

const usualDeaths = 20;

/** Clears the worker of a workspace; if the workspace was paused meanwhile, its job leaves the queue. */
async function becameFree(client: PoolClient, boss: PgBoss, workspace: string): Promise<void> {
  const [workspaceRow] = await selectRows(
    client,
    z.object({ paused: z.boolean() }),
    `UPDATE longshore.workspace SET worker = NULL, taken_at = NULL WHERE name = $1
     RETURNING paused_at IS NOT NULL AS paused`,
    [workspace],
  );
  if (workspaceRow?.paused === true) await unqueueWaitingJobs(client, boss, [workspace]);
}

/** Removes the job and its worker from the row of a workspace, which is then free for its next job. */
export async function clearWorkspaceJob(client: PoolClient, workspace: string): Promise<void> {
  await client.query(
    'UPDATE longshore.workspace SET job = NULL, worker = NULL, taken_at = NULL WHERE name = $1',
    [workspace],
  );
}
