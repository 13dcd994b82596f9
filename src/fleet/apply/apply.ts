import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import { FatalError } from '../../model/fatal-error.ts';
import { inTransaction } from '../database/migrate.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import type { JobQueue } from '../queue/queue.ts';
import { computeSpreadOffset, createCachedNextTimeCalculator } from '../schedule/next-time.ts';
import { databaseClock, type FleetClock } from '../schedule/ticker.ts';
import {
  type ApplyPlan,
  type AssignmentRow,
  createApplyPlan,
  type RowChange,
  toSharedSettingsRow,
  type WorkspaceRow,
} from './plan.ts';

/** The options of applying a fleet file. */
export interface ApplyOptions {
  readonly clock?: FleetClock;
  /** The id of the key that the environment variables set, hexadecimal; undefined to keep the id of the last apply. */
  readonly keyId?: string | undefined;
}

/**
 * Writes a fleet into the database as the confirmed plan says; throws a FatalError (usage) if the plan has changed
 * since.
 */
export async function applyFleet(
  pool: Pool,
  queue: JobQueue,
  fleet: Fleet,
  agreed: ApplyPlan,
  { clock = databaseClock, keyId }: ApplyOptions = {},
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // The lock keeps out other applies, and workers that take or settle jobs, until this short transaction ends.
    await client.query('LOCK TABLE longshore.workspace, longshore.assignment IN EXCLUSIVE MODE');
    const plan = await createApplyPlan(client, fleet);
    if (!isDeepStrictEqual(plan, agreed)) throw changedMeanwhile();
    const { workspaces, assignments } = plan;
    await withdraw(client, queue, workspaces, assignments);
    await removeRows(client, workspaces, assignments);
    await writeWorkspaces(client, rowsOf(workspaces));
    await writeAssignments(client, rowsOf(assignments));
    await setNextTimes(client, assignments, await clock(client));
    await client.query(
      `INSERT INTO longshore.fleet AS f (name, fingerprint, limits, places, key_id, applied_at)
         VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (one) DO UPDATE SET name = $1, fingerprint = $2, limits = $3, places = $4,
         key_id = COALESCE($5, f.key_id), applied_at = now()`,
      [
        fleet.name,
        fleet.fingerprint,
        JSON.stringify(fleet.limits),
        JSON.stringify(toSharedSettingsRow(fleet)),
        keyId ?? null,
      ],
    );
  });
  // Without fresh statistics PostgreSQL would plan the queries after a large apply as if the tables were small.
  await pool.query('ANALYZE longshore.workspace, longshore.assignment');
}

function changedMeanwhile(): FatalError {
  return new FatalError('usage', 'another fleet file was applied meanwhile: nothing was changed.', {
    next: 'Look at the changes once more: type the same command again.',
  });
}

const byWorkspace = (changes: readonly RowChange<WorkspaceRow>[]) =>
  changes.flatMap(({ what, row }) => (what === 'removed' ? [row.name] : []));

const byAssignment = (changes: readonly RowChange<AssignmentRow>[]) =>
  changes.flatMap(({ what, row }) => (what === 'removed' ? [row] : []));

/** Removes the jobs of removed assignments from the queue; the result of a running one is not recorded. */
async function withdraw(
  client: PoolClient,
  queue: JobQueue,
  workspaces: readonly RowChange<WorkspaceRow>[],
  assignments: readonly RowChange<AssignmentRow>[],
): Promise<void> {
  const gone = byAssignment(assignments);
  const names = [...new Set([...byWorkspace(workspaces), ...gone.map(({ workspace }) => workspace)])];
  const nameOf = ({ workspace, pipeline }: { readonly workspace: string; readonly pipeline: string }) =>
    JSON.stringify([workspace, pipeline]);
  const goneNames = new Set(gone.map(nameOf));
  await queue.withdrawIn(client, names, (job) => goneNames.has(nameOf(job)));
  await queue.forgetDeadIn(client, gone);
}

async function removeRows(
  client: PoolClient,
  workspaces: readonly RowChange<WorkspaceRow>[],
  assignments: readonly RowChange<AssignmentRow>[],
): Promise<void> {
  const gone = byAssignment(assignments);
  await client.query(
    `DELETE FROM longshore.assignment a USING unnest($1::text[], $2::text[]) AS gone (workspace, pipeline)
     WHERE a.workspace = gone.workspace AND a.pipeline = gone.pipeline`,
    [gone.map(({ workspace }) => workspace), gone.map(({ pipeline }) => pipeline)],
  );
  await client.query('DELETE FROM longshore.workspace WHERE name = ANY($1)', [byWorkspace(workspaces)]);
}

function rowsOf<Row>(changes: readonly RowChange<Row>[]): Row[] {
  return changes.flatMap(({ what, row }) => (what === 'removed' ? [] : [row]));
}

async function writeWorkspaces(client: PoolClient, rows: readonly WorkspaceRow[]): Promise<void> {
  await client.query(
    `INSERT INTO longshore.workspace (name, base_url, settings)
     SELECT name, base_url, settings
     FROM jsonb_to_recordset($1) AS row (name text, base_url text, settings jsonb)
     ON CONFLICT (name) DO UPDATE SET base_url = excluded.base_url, settings = excluded.settings`,
    [JSON.stringify(rows)],
  );
}

async function writeAssignments(client: PoolClient, rows: readonly AssignmentRow[]): Promise<void> {
  await client.query(
    `INSERT INTO longshore.assignment (workspace, pipeline, kind, schedule, priority, settings)
     SELECT workspace, pipeline, kind, NULLIF(schedule, 'null'), priority, settings
     FROM jsonb_to_recordset($1)
       AS row (workspace text, pipeline text, kind text, schedule jsonb, priority int, settings jsonb)
     ON CONFLICT (workspace, pipeline) DO UPDATE SET kind = excluded.kind, schedule = excluded.schedule,
       priority = excluded.priority, settings = excluded.settings`,
    [JSON.stringify(rows)],
  );
}

interface NextTime {
  readonly workspace: string;
  readonly pipeline: string;
  readonly next: Date | null;
}

/** Sets the next time of added assignments and of changed schedules: the first one after `now` (ms since 1970). */
async function setNextTimes(
  client: PoolClient,
  changes: readonly RowChange<AssignmentRow>[],
  now: number,
): Promise<void> {
  const nextTime = createCachedNextTimeCalculator();
  const times = changes.flatMap(({ what, columns, row: { workspace, pipeline, schedule } }): NextTime[] => {
    if (what === 'removed' || (what === 'changed' && !columns.includes('schedule'))) return [];
    if (schedule === null) return [{ workspace, pipeline, next: null }];
    const offset = computeSpreadOffset(workspace, pipeline, schedule.spread);
    return [{ workspace, pipeline, next: new Date(nextTime(schedule, offset, now)) }];
  });
  await client.query(
    `UPDATE longshore.assignment a SET next_at = time.next
     FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS time (workspace, pipeline, next)
     WHERE a.workspace = time.workspace AND a.pipeline = time.pipeline`,
    [
      times.map(({ workspace }) => workspace),
      times.map(({ pipeline }) => pipeline),
      times.map(({ next }) => next),
    ],
  );
}
