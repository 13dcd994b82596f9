import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { nameRowSchema, selectRows } from '../database/rows.ts';
import { jobQueueName, queueSchemaName } from './names.ts';
import type { UnrunJob } from './refused.ts';
import { requeueCrashedJob } from './settle.ts';

const takenJob = z.object({
  ...{ name: z.string(), job: z.string(), worker: z.string(), pipeline: z.string() },
  kind: z.enum(['import', 'export']),
});

/**
 * Requeues the jobs of workers that have shut down or had no heartbeat for `silenceMs` before `now` (ms since 1970; null:
 * the present time of the database), and jobs that the heartbeats of
 * a live worker do not list, because it never received them. Returns the workspaces of these jobs. A job at the
 * fleet's limit of deaths fails, and is added to `failed`.
 */
export async function requeueLostJobs(
  pool: Pool,
  boss: PgBoss,
  { silenceMs, now }: { readonly silenceMs: number; readonly now: number | null },
  failed: UnrunJob[],
): Promise<readonly string[]> {
  return await inTransaction(pool, async (client) => {
    const rows = await selectRows(
      client,
      takenJob,
      `SELECT w.name, w.job, w.worker, j.data->>'pipeline' AS pipeline, j.data->>'kind' AS kind
       FROM longshore.workspace w
       JOIN ${queueSchemaName}.job j ON j.name = $1 AND j.id = w.job AND j.state = 'active'
       LEFT JOIN longshore.worker k ON k.name = w.worker
       CROSS JOIN (SELECT COALESCE(to_timestamp($3::float8 / 1000), now()) - $2 * interval '1 ms' AS silent_at) known
       WHERE w.worker IS NOT NULL AND (
         k.name IS NULL OR k.left_at IS NOT NULL OR k.seen_at < known.silent_at OR (
           w.taken_at < known.silent_at AND k.seen_at > w.taken_at AND
           NOT k.jobs @> jsonb_build_array(jsonb_build_object('workspace', w.name))))
       FOR UPDATE OF w SKIP LOCKED`,
      [jobQueueName, silenceMs, now],
    );
    for (const { name: workspace, job: id, worker, pipeline, kind } of rows) {
      const message = `the worker ${worker} sent no heartbeat any more; another one continues the job.`;
      const end = { run: null, exitCode: null, message, next: null, worker };
      const why = await requeueCrashedJob(client, boss, { id, workspace, pipeline }, end, 0);
      if (why !== undefined) failed.push({ workspace, pipeline, kind, message: why });
    }
    return rows.map(({ name }) => name);
  });
}

/**
 * Corrects the rows of workspaces that disagree with the queue: clears a job that the queue no longer has, and the
 * worker of a job that waits in the queue again. Also removes workers that had no heartbeat for a day and have no job.
 */
export async function reconcileJobs(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    const rows = await selectRows(
      client,
      nameRowSchema,
      `SELECT w.name FROM longshore.workspace w WHERE w.job IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM ${queueSchemaName}.job j WHERE j.name = $1 AND j.id = w.job AND
           (j.state = 'active' OR (j.state < 'active' AND w.worker IS NULL)))
       FOR UPDATE SKIP LOCKED`,
      [jobQueueName],
    );
    const names = rows.map(({ name }) => name);
    // Checked again under the locks, because a job may have been settled in between.
    await client.query(
      `UPDATE longshore.workspace w SET worker = NULL, taken_at = NULL FROM ${queueSchemaName}.job j
       WHERE w.name = ANY($2) AND j.name = $1 AND j.id = w.job AND j.state < 'active'`,
      [jobQueueName, names],
    );
    await client.query(
      `UPDATE longshore.workspace w SET job = NULL, worker = NULL, taken_at = NULL
       WHERE w.name = ANY($2) AND NOT EXISTS (
         SELECT 1 FROM ${queueSchemaName}.job j WHERE j.name = $1 AND j.id = w.job AND j.state < 'completed')`,
      [jobQueueName, names],
    );
    await client.query(
      `DELETE FROM longshore.worker k WHERE seen_at < now() - interval '1 day' AND NOT EXISTS (
         SELECT 1 FROM longshore.workspace w WHERE w.worker = k.name)`,
    );
  });
}
