import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { nameRowSchema, selectRows } from '../database/rows.ts';
import { pipelineRequestSchema } from './asked.ts';
import { toPgBossDatabase } from './boss.ts';
import { removeDeadJobs } from './dead.ts';
import type { JobPayload } from './job.ts';
import { jobQueueName, queueSchemaName } from './names.ts';

/** The priority that a user's request adds; higher than that of any schedule. */
const urgency = 1_000;

const atOnce = 500;

const dueAssignment = z.object({
  workspace: z.string(),
  pipeline: z.string(),
  kind: z.enum(['import', 'export']),
  resume_run: z.string().nullable(),
  priority: z.int(),
  asked: pipelineRequestSchema.nullable(),
});

type DueAssignment = z.output<typeof dueAssignment>;

/**
 * Queues a job for the most urgent due pipeline of each free workspace; returns the number of jobs. Other due
 * pipelines wait until that job is settled, so that no workspace blocks the queue.
 */
export async function dispatchDueJobs(pool: Pool, boss: PgBoss): Promise<number> {
  let sent = 0;
  for (;;) {
    const found = await inTransaction(pool, async (client) => {
      const free = await freeWorkspaces(client);
      return { free: free.length, sent: await dispatchWorkspaceJobs(client, boss, free) };
    });
    sent += found.sent;
    if (found.free < atOnce) return sent;
  }
}

/**
 * Queues the most urgent due pipeline of each of these workspaces, whose rows the transaction has locked; returns the
 * number of jobs.
 */
export async function dispatchWorkspaceJobs(
  client: PoolClient,
  boss: PgBoss,
  workspaces: readonly string[],
): Promise<number> {
  if (workspaces.length === 0) return 0;
  const rows = await selectRows(
    client,
    dueAssignment,
    // With LATERAL PostgreSQL looks up each workspace: it never reads the whole table for a few of them.
    `SELECT most.* FROM unnest($1::text[]) AS free (name) CROSS JOIN LATERAL (
       SELECT a.workspace, a.pipeline, a.kind, a.resume_run,
         a.priority + CASE WHEN a.urgent OR a.asked IS NOT NULL THEN ${urgency} ELSE 0 END AS priority, a.asked
       FROM longshore.workspace w JOIN longshore.assignment a ON a.workspace = w.name
       WHERE w.name = free.name AND w.paused_at IS NULL AND w.job IS NULL
         AND (a.wanted_at IS NOT NULL OR a.asked IS NOT NULL)
       ORDER BY 5 DESC, a.asked IS NULL, a.wanted_at, a.pipeline LIMIT 1) AS most`,
    [workspaces],
  );
  if (rows.length === 0) return 0;
  const jobs = rows.map((row) => ({ ...row, id: randomUUID() }));
  const names = [jobs.map((job) => job.workspace), jobs.map((job) => job.pipeline)];
  await removeDeadJobs(client, boss, rows);
  await client.query(
    // A scheduled run stays due while a user's request runs.
    `UPDATE longshore.assignment a SET asked = NULL,
       wanted_at = CASE WHEN a.asked IS NULL THEN NULL ELSE a.wanted_at END,
       urgent = CASE WHEN a.asked IS NULL THEN false ELSE a.urgent END,
       resume_run = CASE WHEN a.asked IS NULL THEN NULL ELSE a.resume_run END
     FROM unnest($1::text[], $2::text[]) AS sent (workspace, pipeline)
     WHERE a.workspace = sent.workspace AND a.pipeline = sent.pipeline`,
    names,
  );
  await client.query(
    `UPDATE longshore.workspace w SET job = sent.id
     FROM unnest($1::text[], $2::uuid[]) AS sent (workspace, id) WHERE w.name = sent.workspace`,
    [names[0], jobs.map(({ id }) => id)],
  );
  await insert(client, boss, jobs);
  return jobs.length;
}

async function freeWorkspaces(client: PoolClient): Promise<readonly string[]> {
  const rows = await selectRows(
    client,
    nameRowSchema,
    `WITH wanted AS MATERIALIZED (
       SELECT workspace FROM longshore.assignment WHERE wanted_at IS NOT NULL
       UNION SELECT workspace FROM longshore.assignment WHERE asked IS NOT NULL)
     SELECT w.name FROM wanted JOIN longshore.workspace w ON w.name = wanted.workspace
     WHERE w.job IS NULL AND w.paused_at IS NULL ORDER BY w.name LIMIT ${atOnce} FOR UPDATE OF w SKIP LOCKED`,
  );
  return rows.map(({ name }) => name);
}

async function insert(
  client: PoolClient,
  boss: PgBoss,
  jobs: readonly (DueAssignment & { readonly id: string })[],
): Promise<void> {
  const limits = await jobLimits(client);
  await boss.insert(
    jobs.map(({ id, workspace, pipeline, kind, priority, resume_run: run, asked: request }) => ({
      ...{ id, priority, ...limits },
      // An export has no slices, so its time limit is the longest that pg-boss allows.
      ...(kind === 'export' && { expireInSeconds: secondsInDay - 1 }),
      name: jobQueueName,
      singletonKey: workspace,
      data: {
        workspace,
        pipeline,
        kind,
        ...(run !== null && { run }),
        ...(request !== null && { asked: request }),
      } satisfies JobPayload,
    })),
    { db: toPgBossDatabase(client) },
  );
  const [inserted] = await selectRows(
    client,
    z.object({ n: z.int() }),
    `SELECT count(*)::int AS n FROM ${queueSchemaName}.job WHERE name = $1 AND id = ANY($2)`,
    [jobQueueName, jobs.map(({ id }) => id)],
  );
  // pg-boss silently drops jobs that its policy refuses.
  if (inserted?.n !== jobs.length) {
    throw new Error(`The queue took ${inserted?.n ?? 0} of ${jobs.length} jobs.`);
  }
}

const secondsInDay = 86_400;

/** Returns the retry options of jobs, and the time (s) after which a job counts as hanging, longer than any slice. */
async function jobLimits(client: PoolClient) {
  const [limits] = await selectRows(
    client,
    z.object({ retries: z.int().nullable(), delay: z.int().nullable(), slice: z.int().nullable() }),
    `SELECT (limits->>'retries')::int AS retries, (limits->>'retryDelay')::int AS delay,
       (limits->>'slice')::int AS slice FROM longshore.fleet`,
  );
  const { retries, delay, slice } = limits ?? {};
  return {
    retryLimit: retries ?? 8,
    retryDelay: Math.max(1, Math.round((delay ?? 30_000) / 1_000)),
    retryBackoff: true,
    expireInSeconds: Math.min(secondsInDay - 1, Math.round((slice ?? 1_800_000) / 500) + 3_600),
  };
}
