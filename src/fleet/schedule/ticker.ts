import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { assignmentIdSchema } from '../queue/dead.ts';
import type { JobQueue } from '../queue/queue.ts';
import { computeSpreadOffset, createCachedNextTimeCalculator, scheduleRowSchema } from './next-time.ts';

/** Returns the time shared by all machines of a fleet (ms since 1970). */
export type FleetClock = (client: PoolClient) => Promise<number>;

/** Returns the database's time; the clocks of machines may differ. */
export const databaseClock: FleetClock = async (client) => {
  const [time] = await selectRows(client, z.object({ now: z.date() }), 'SELECT now()');
  return time?.now.getTime() ?? Number.NaN;
};

/** The counts of a tick. */
export interface SchedulerTickResult {
  /** The number of assignments that became due. */
  readonly due: number;
  /** The number of queued jobs. */
  readonly sent: number;
}

/**
 * Marks each due assignment as wanted, only once even if several scheduled times have passed, and queues a job for each
 * free workspace with a due assignment. Safe to call on several machines at once; after a crash the next tick on any
 * machine continues.
 */
export async function runSchedulerTick(
  pool: Pool,
  queue: JobQueue,
  clock = databaseClock,
): Promise<SchedulerTickResult> {
  const nextTime = createCachedNextTimeCalculator();
  const ticked = { due: 0, sent: 0 };
  for (;;) {
    const found = await inTransaction(pool, async (client) => noteDue(client, await clock(client), nextTime));
    ticked.due += found;
    // The first jobs are queued while further assignments are marked.
    ticked.sent += await queue.dispatch();
    if (found < atOnce) return ticked;
  }
}

const atOnce = 500;

const dueRow = assignmentIdSchema.extend({ schedule: scheduleRowSchema, next_at: z.date() });

/** Marks due assignments as wanted and sets their next time, after now; returns their number, at most `atOnce`. */
async function noteDue(
  client: PoolClient,
  now: number,
  nextTime: ReturnType<typeof createCachedNextTimeCalculator>,
): Promise<number> {
  const rows = await selectRows(
    client,
    dueRow,
    `SELECT a.workspace, a.pipeline, a.schedule, a.next_at
     FROM longshore.assignment a JOIN longshore.workspace w ON w.name = a.workspace
     WHERE a.next_at <= $1 AND a.schedule IS NOT NULL AND w.paused_at IS NULL
     ORDER BY a.next_at LIMIT ${atOnce} FOR UPDATE OF a SKIP LOCKED`,
    [new Date(now)],
  );
  if (rows.length === 0) return 0;
  const next = rows.map(({ workspace, pipeline, schedule, next_at }) => {
    const offset = computeSpreadOffset(workspace, pipeline, schedule.spread);
    return new Date(nextTime(schedule, offset, Math.max(now, next_at.getTime())));
  });
  await client.query(
    `UPDATE longshore.assignment a SET next_at = due.next, due_at = COALESCE(a.due_at, a.next_at), called_at = a.next_at,
       wanted_at = COALESCE(a.wanted_at, $4)
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS due (workspace, pipeline, next)
     WHERE a.workspace = due.workspace AND a.pipeline = due.pipeline`,
    [rows.map(({ workspace }) => workspace), rows.map(({ pipeline }) => pipeline), next, new Date(now)],
  );
  return rows.length;
}
