import type { PoolClient } from 'pg';
import { jobQueue, queueSchema } from './names.ts';

/** A job as the queue has it. */
interface Fetched {
  readonly id: string;
  readonly data: unknown;
  /** How often it was tried before. */
  readonly retries: number;
}

/**
 * Makes the most urgent job that waits active, as pg-boss 10 does by `fetch`, which cannot leave workspaces out; undefined where
 * there is none.
 */
export async function fetchJob(client: PoolClient, refused: readonly string[]): Promise<Fetched | undefined> {
  const { rows } = await client.query<Fetched>(
    // A subquery instead of the CTE may be evaluated more than once, and would take more than one.
    `WITH next AS (SELECT id FROM ${queueSchema}.job
       WHERE name = $1 AND state < 'active' AND start_after <= now() AND NOT data->>'workspace' = ANY($2)
       ORDER BY priority DESC, created_on, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE ${queueSchema}.job j SET state = 'active', started_on = now(),
       retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
     FROM next WHERE j.name = $1 AND j.id = next.id
     RETURNING j.id, j.data, j.retry_count AS retries`,
    [jobQueue, refused],
  );
  return rows[0];
}
