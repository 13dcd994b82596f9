import type { Pool } from 'pg';
import * as z from 'zod';
import { formatPrometheusText, type MetricSample } from '../../report/prometheus.ts';
import { selectRows } from '../database/rows.ts';
import { jobQueueName, queueSchemaName } from '../queue/names.ts';
import { readFleetStatus } from './status.ts';

const sizes = z.object({
  /** The seconds that the oldest waiting job has waited; null if none waits. */
  oldest: z.number().nullable(),
  /** The bytes of the journals in the database, including deleted rows that are not vacuumed yet. */
  bytes: z.number(),
});

/** Returns the fleet's metrics in the text format of Prometheus. */
export async function readFleetMetrics(pool: Pool): Promise<string> {
  const { counts, workers, assignments, at } = await readFleetStatus(pool);
  const [found = { oldest: null, bytes: 0 }] = await selectRows(
    pool,
    sizes,
    `SELECT extract(epoch FROM now() - LEAST(
         (SELECT min(greatest(created_on, start_after)) FROM ${queueSchemaName}.job WHERE name = $1 AND state < 'active' AND start_after <= now()),
         (SELECT min(wanted_at) FROM longshore.assignment WHERE wanted_at IS NOT NULL)))::float8 AS oldest,
       (pg_total_relation_size('longshore.base') + pg_total_relation_size('longshore.frames'))::float8 AS bytes`,
    [jobQueueName],
  );
  const { late, ...states } = counts;
  const alive = workers.filter((worker) => worker.alive);
  const ready = alive.filter(({ notReady }) => notReady === null).length;
  const successes = assignments.flatMap(({ workspace, pipeline, lastSuccessAt }): MetricSample[] =>
    lastSuccessAt === null ? [] : [[{ workspace, pipeline }, new Date(lastSuccessAt).getTime() / 1_000]],
  );
  return formatPrometheusText('longshore_fleet', [
    [
      'pipelines',
      'Pipelines of workspaces by their state.',
      Object.entries(states).map(([state, n]) => [{ state }, n]),
    ],
    ['late', 'Pipelines of workspaces that have owed a success for too long.', late],
    [
      'oldest_wait_seconds',
      'For how long the job that waits longest has been waiting.',
      Math.max(0, found.oldest ?? 0),
    ],
    [
      'workers',
      'Workers that are alive.',
      [
        [{ ready: 'true' }, ready],
        [{ ready: 'false' }, alive.length - ready],
      ],
    ],
    ['journal_bytes', 'What the journals take in the database.', found.bytes],
    ['last_success_timestamp_seconds', 'When a pipeline of a workspace last ended well.', successes],
    ['scrape_timestamp_seconds', 'When this was so.', new Date(at).getTime() / 1_000],
  ]);
}
