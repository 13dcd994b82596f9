import type { PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { toPgBossDatabase } from './boss.ts';
import type { AssignmentId } from './dead.ts';
import { type JobPayload, jobPayloadSchema } from './job.ts';
import { jobQueueName, queueSchemaName } from './names.ts';

const queuedJob = z.object({
  ...{ id: z.string(), state: z.string(), data: jobPayloadSchema },
  /** True while it waits for the time of its next attempt. */
  delayed: z.boolean(),
});

type Queued = z.output<typeof queuedJob>;

/** Returns the waiting and running jobs of workspaces, except any that is being taken at this moment. */
async function jobsOf(client: PoolClient, workspaces: readonly string[]): Promise<readonly Queued[]> {
  return await selectRows(
    client,
    queuedJob,
    `SELECT j.id, j.state::text, j.data, j.start_after > now() AS delayed FROM ${queueSchemaName}.job j JOIN longshore.workspace w ON w.job = j.id
     WHERE j.name = $1 AND w.name = ANY($2) AND j.state <= 'active'
     FOR UPDATE OF j SKIP LOCKED`,
    [jobQueueName, workspaces],
  );
}

/**
 * Cancels those jobs of the workspaces for which `isMeant` returns true, including running ones. The
 * transaction must have locked the workspaces.
 */
export async function cancelJobs(
  client: PoolClient,
  boss: PgBoss,
  workspaces: readonly string[],
  isMeant: (job: JobPayload) => boolean,
): Promise<void> {
  const meant = (await jobsOf(client, workspaces)).filter(({ data }) => isMeant(data));
  if (meant.length === 0) return;
  await take(client, boss, meant);
}

/**
 * Takes the waiting jobs of workspaces out of the queue and marks their assignments as due; a running job
 * continues.
 */
export async function unqueueWaitingJobs(
  client: PoolClient,
  boss: PgBoss,
  workspaces: readonly string[],
): Promise<void> {
  await unqueue(client, boss, (await jobsOf(client, workspaces)).filter(isWaiting));
}

/**
 * Takes the jobs of workspaces that wait for the time of their next attempt out of the queue, marks their assignments as
 * due, and returns them: with its one job in the queue, a workspace would let nothing else start until then. A job for a
 * user's request stays, because its assignment may have the next one already. The transaction must have locked the
 * workspaces.
 */
export async function unqueueDelayedJobs(
  client: PoolClient,
  boss: PgBoss,
  workspaces: readonly string[],
): Promise<readonly AssignmentId[]> {
  const jobs = (await jobsOf(client, workspaces)).filter(isWaiting);
  const delayed = jobs.filter((job) => job.delayed && job.data.asked === undefined);
  await unqueue(client, boss, delayed);
  return delayed.map(({ data: { workspace, pipeline } }) => ({ workspace, pipeline }));
}

const isWaiting = ({ state }: Queued) => state !== 'active';

async function unqueue(client: PoolClient, boss: PgBoss, waiting: readonly Queued[]): Promise<void> {
  if (waiting.length === 0) return;
  await take(client, boss, waiting);
  await client.query(
    `UPDATE longshore.assignment a SET asked = COALESCE(back.asked, a.asked),
       wanted_at = CASE WHEN back.asked IS NULL THEN COALESCE(a.wanted_at, now()) ELSE a.wanted_at END,
       resume_run = COALESCE(a.resume_run, back.run)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[]) AS back (workspace, pipeline, run, asked)
     WHERE a.workspace = back.workspace AND a.pipeline = back.pipeline`,
    [
      waiting.map(({ data }) => data.workspace),
      waiting.map(({ data }) => data.pipeline),
      waiting.map(({ data }) => data.run),
      waiting.map(({ data }) => (data.asked === undefined ? null : JSON.stringify(data.asked))),
    ],
  );
}

async function take(client: PoolClient, boss: PgBoss, jobs: readonly Queued[]): Promise<void> {
  const ids = jobs.map(({ id }) => id);
  await boss.cancel(jobQueueName, ids, { db: toPgBossDatabase(client) });
  await client.query(
    'UPDATE longshore.workspace SET job = NULL, worker = NULL, taken_at = NULL WHERE job = ANY($1)',
    [ids],
  );
}
