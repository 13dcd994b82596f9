import type { Pool } from 'pg';
import { jobQueue, queueSchema } from '../queue/names.ts';
import { type FleetStatus, fleetStatus } from './status.ts';

interface Sizes {
  /** For how long the job that waits longest has been waiting (s); null where none waits. */
  readonly oldest: number | null;
  /** What the journals take in the database, with what is on its way out. */
  readonly bytes: number;
}

/** How the fleet stands, as Prometheus reads it; ends with a line break. */
export async function fleetMetrics(pool: Pool): Promise<string> {
  const status = await fleetStatus(pool);
  const { rows } = await pool.query<Sizes>(
    `SELECT extract(epoch FROM now() - LEAST(
         (SELECT min(greatest(created_on, start_after)) FROM ${queueSchema}.job WHERE name = $1 AND state < 'active' AND start_after <= now()),
         (SELECT min(wanted_at) FROM longshore.assignment WHERE wanted_at IS NOT NULL)))::float8 AS oldest,
       (pg_total_relation_size('longshore.base') + pg_total_relation_size('longshore.frames'))::float8 AS bytes`,
    [jobQueue],
  );
  return metricsText(status, rows[0] ?? { oldest: null, bytes: 0 });
}

type Sample = readonly [labels: string, value: number];

function metricsText({ counts, workers, assignments, at }: FleetStatus, { oldest, bytes }: Sizes): string {
  const { late, ...states } = counts;
  const alive = workers.filter((worker) => worker.alive);
  const ready = alive.filter(({ notReady }) => notReady === null).length;
  const successes = assignments.flatMap(({ workspace, pipeline, lastSuccessAt }): Sample[] =>
    lastSuccessAt === null
      ? []
      : [[`workspace="${workspace}",pipeline="${pipeline}"`, new Date(lastSuccessAt).getTime() / 1_000]],
  );
  return [
    metric(
      'pipelines',
      'Pipelines of workspaces by their state.',
      Object.entries(states).map(([state, n]): Sample => [`state="${state}"`, n]),
    ),
    metric('late', 'Pipelines of workspaces that have owed a success for too long.', [['', late]]),
    metric('oldest_wait_seconds', 'For how long the job that waits longest has been waiting.', [
      ['', Math.max(0, oldest ?? 0)],
    ]),
    metric('workers', 'Workers that are alive.', [
      ['ready="true"', ready],
      ['ready="false"', alive.length - ready],
    ]),
    metric('journal_bytes', 'What the journals take in the database.', [['', bytes]]),
    metric('last_success_timestamp_seconds', 'When a pipeline of a workspace last ended well.', successes),
    metric('scrape_timestamp_seconds', 'When this was so.', [['', new Date(at).getTime() / 1_000]]),
  ].join('');
}

function metric(name: string, help: string, samples: readonly Sample[]): string {
  const full = `longshore_fleet_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labels === '' ? '' : `{${labels}}`} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} gauge\n${lines.join('')}`;
}
