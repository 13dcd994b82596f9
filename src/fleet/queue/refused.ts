import type { Pool } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { jobQueueName, queueSchemaName } from './names.ts';
import { failJob } from './settle.ts';

const refusedJob = z.object({
  job: z.string(),
  workspace: z.string(),
  pipeline: z.string(),
  kind: z.enum(['import', 'export']),
  message: z.string(),
});

/** A job that failed outside of its own process: no machine can run it, or too many died at work on it. */
export type UnrunJob = Readonly<Omit<z.output<typeof refusedJob>, 'job'>>;

const atOnce = 100;

/**
 * Fails the waiting jobs of workspaces that every worker has refused for `refusedForMs`; returns them. A job keeps
 * waiting while no worker is alive, and also if a worker seen within that time does not refuse it: that worker may be
 * restarting.
 */
export async function failRefusedJobs(
  pool: Pool,
  boss: PgBoss,
  refusedForMs: number,
  silenceMs: number,
): Promise<readonly UnrunJob[]> {
  return await inTransaction(pool, async (client) => {
    const rows = await selectRows(
      client,
      refusedJob,
      `WITH known AS (SELECT refused, NOT draining AND left_at IS NULL AND seen_at > now() - $3 * interval '1 ms' AS alive
         FROM longshore.worker WHERE seen_at > now() - greatest($2::float8, $3::float8) * interval '1 ms')
       SELECT w.name AS workspace, w.job, j.data->>'pipeline' AS pipeline, j.data->>'kind' AS kind,
         (SELECT min(k.refused->w.name->>'message') FROM known k) AS message
       FROM longshore.workspace w
       JOIN ${queueSchemaName}.job j ON j.name = $1 AND j.id = w.job AND j.state < 'active'
       WHERE EXISTS (SELECT 1 FROM known k WHERE k.alive AND k.refused ? w.name) AND NOT EXISTS (
         SELECT 1 FROM known k WHERE NOT k.refused ? w.name OR
           (k.refused->w.name->>'since')::timestamptz > now() - $2 * interval '1 ms')
       ORDER BY w.name LIMIT ${atOnce} FOR UPDATE OF w SKIP LOCKED`,
      [jobQueueName, refusedForMs, silenceMs],
    );
    const failed = rows.map(({ job, ...named }) => ({
      job,
      named: { ...named, message: `no machine of the fleet can do it: ${named.message}` },
    }));
    for (const { job: id, named } of failed) {
      const end = { run: null, exitCode: 2, message: named.message, next: null };
      await failJob(client, boss, { id, ...named }, end, 'never');
    }
    return failed.map(({ named }) => named);
  });
}
