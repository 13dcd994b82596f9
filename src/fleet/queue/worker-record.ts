import type { Pool } from 'pg';
import * as z from 'zod';
import { nameRowSchema, selectRows } from '../database/rows.ts';
import type { JobWait } from '../job/messages.ts';
import type { AssignmentId } from './dead.ts';

/** The fields of a worker's heartbeat. */
export interface WorkerHeartbeat {
  /** The name of the worker, unique in the fleet, also among the workers of one machine. */
  readonly name: string;
  readonly host: string;
  /** The jobs that it runs; a taken job that is missing here is requeued. */
  readonly jobs: readonly (AssignmentId & { readonly wait?: JobWait })[];
  /** The reason that it takes no jobs at all; null if it takes jobs. */
  readonly notReady?: string | null;
  /**
   * The workspaces whose jobs this worker refuses, with the reason and since when; undefined if unchanged since the
   * last heartbeat.
   */
  readonly refused?: object | undefined;
}

/**
 * Saves a worker's heartbeat; without one every few seconds the worker loses its jobs. Returns whether it must drain,
 * and which of its workspaces are paused.
 */
export async function saveHeartbeat(
  pool: Pool,
  { name, host, jobs, notReady = null, refused }: WorkerHeartbeat,
): Promise<{ readonly draining: boolean; readonly paused: readonly string[] }> {
  const [heard] = await selectRows(
    pool,
    z.object({ draining: z.boolean(), paused: z.array(z.string()) }),
    `INSERT INTO longshore.worker (name, host, started_at, seen_at, jobs, not_ready, refused)
       VALUES ($1, $2, now(), now(), $3, $4, COALESCE($5, '{}'::jsonb))
     ON CONFLICT (name) DO UPDATE SET seen_at = now(), jobs = $3, not_ready = $4,
       refused = COALESCE($5, worker.refused)
     RETURNING draining, ARRAY(
       SELECT w.name FROM longshore.workspace w WHERE w.worker = $1 AND w.paused_at IS NOT NULL) AS paused`,
    [name, host, JSON.stringify(jobs), notReady, refused === undefined ? null : JSON.stringify(refused)],
  );
  return heard ?? { draining: false, paused: [] };
}

/** Records that a worker has shut down; its remaining jobs are requeued. */
export async function recordWorkerShutdown(pool: Pool, name: string): Promise<void> {
  await pool.query("UPDATE longshore.worker SET left_at = now(), jobs = '[]' WHERE name = $1", [name]);
}

/** Seconds without a heartbeat after which a worker counts as dead. */
export const longestSilentSeconds = 60;

/**
 * Asks the named worker, or all workers, to drain; returns the names of those that are alive. One that is silent drains
 * with its next heartbeat.
 */
export async function requestDrain(pool: Pool, name: string | undefined): Promise<readonly string[]> {
  const rows = await selectRows(
    pool,
    nameRowSchema,
    `WITH asked AS (
       UPDATE longshore.worker SET draining = true WHERE left_at IS NULL AND ($1::text IS NULL OR name = $1)
       RETURNING name, seen_at)
     SELECT name FROM asked WHERE seen_at >= now() - ${longestSilentSeconds} * interval '1 second'`,
    [name ?? null],
  );
  return rows.map((row) => row.name).sort();
}
