import type { Pool } from 'pg';
import * as z from 'zod';
import { nameRow, selectRows } from '../database/rows.ts';

/** The fields of a worker's heartbeat. */
export interface WorkerHeartbeat {
  /** The name of the process, unique also on its machine. */
  readonly name: string;
  readonly host: string;
  /** The jobs that it runs: a taken job that is missing here goes to another worker. */
  readonly jobs: readonly { readonly workspace: string; readonly pipeline: string }[];
  /** Why it takes no job at all; null where it takes some. */
  readonly notReady?: string | null;
  /** Why and since when it refuses jobs, by workspace; undefined where that has not changed since the last heartbeat. */
  readonly refused?: object | undefined;
}

/**
 * Saves a worker's heartbeat, every few seconds: without it the worker loses its jobs. Returns whether it was asked to drain, and
 * which of its workspaces are paused.
 */
export async function noteAlive(
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

/** Records that a worker has shut down; others take over the jobs that it still holds. */
export async function noteLeft(pool: Pool, name: string): Promise<void> {
  await pool.query("UPDATE longshore.worker SET left_at = now(), jobs = '[]' WHERE name = $1", [name]);
}

/** Asks the named worker, or all workers, to drain; returns their names. */
export async function requestDrain(pool: Pool, name: string | undefined): Promise<readonly string[]> {
  const rows = await selectRows(
    pool,
    nameRow,
    'UPDATE longshore.worker SET draining = true WHERE left_at IS NULL AND ($1::text IS NULL OR name = $1) RETURNING name',
    [name ?? null],
  );
  return rows.map((row) => row.name).sort();
}
