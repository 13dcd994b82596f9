import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { commandWithoutFlags, hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import { inTransaction } from '../database/migrate.ts';
import { nameRowSchema, selectRows } from '../database/rows.ts';
import { type AssignmentId, assignmentIdSchema } from '../queue/dead.ts';
import type { JobQueue } from '../queue/queue.ts';
import { longestSilentSeconds } from '../queue/worker-record.ts';

const pipelineRow = z.object({ pipeline: z.string() });

/**
 * Returns the names of the given workspaces, or of all; throws a FatalError (usage) for an unknown name, or if no fleet
 * was applied yet.
 */
export async function resolveWorkspaceNames(
  pool: Pool,
  names: readonly string[] | 'all',
): Promise<readonly string[]> {
  const rows = await selectRows(pool, nameRowSchema, 'SELECT name FROM longshore.workspace ORDER BY name');
  const known = rows.map(({ name }) => name);
  if (known.length === 0) throw nothingApplied();
  if (names === 'all') return known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new FatalError(
    'usage',
    `there is no workspace ${JSON.stringify(unknown)}${sentence(unknown, known)}`,
    { next: hint`To list them: ${toCommand('fleet', 'status', '--all')}` },
  );
}

function nothingApplied(): FatalError {
  return new FatalError('usage', 'no fleet was applied yet.', {
    next: toCommand('fleet', 'apply', 'fleet.yaml'),
  });
}

/**
 * Returns the id of the given pipeline of a workspace, or the ids of all its pipelines if none is given; throws a
 * FatalError (usage) for an unknown name, or if no pipeline is for the workspace.
 */
export async function resolveAssignmentIds(
  pool: Pool,
  workspace: string,
  pipeline: string | undefined,
): Promise<readonly AssignmentId[]> {
  await resolveWorkspaceNames(pool, [workspace]);
  const rows = await selectRows(
    pool,
    pipelineRow,
    'SELECT pipeline FROM longshore.assignment WHERE workspace = $1 ORDER BY pipeline',
    [workspace],
  );
  const known = rows.map((row) => row.pipeline);
  if (known.length === 0)
    throw new FatalError('usage', `no pipeline of the fleet file is for the workspace ${workspace}.`, {
      next: hint`Name it under "for" of a pipeline, then: ${commandWithoutFlags('fleet', 'apply')}`,
    });
  if (pipeline === undefined) return known.map((each) => ({ workspace, pipeline: each }));
  if (known.includes(pipeline)) return [{ workspace, pipeline }];
  const why = `the workspace ${workspace} has no pipeline ${JSON.stringify(pipeline)}`;
  throw new FatalError('usage', `${why}${sentence(pipeline, known)}`);
}

/**
 * Returns the id of the given pipeline of a workspace, or of its only import if no pipeline is given. Throws
 * a FatalError (usage) for an unknown name, or if none is given and the workspace has no import or several.
 */
export async function resolveAssignmentIdOrOnlyImport(
  pool: Pool,
  workspace: string,
  pipeline: string | undefined,
): Promise<AssignmentId> {
  const found = await resolveAssignmentIds(pool, workspace, pipeline);
  if (pipeline !== undefined) return { workspace, pipeline };
  const rows = await selectRows(
    pool,
    pipelineRow,
    `SELECT pipeline FROM longshore.assignment WHERE workspace = $1 AND kind = 'import' ORDER BY pipeline`,
    [workspace],
  );
  const [first, second] = rows;
  if (first !== undefined && second === undefined) return { workspace, pipeline: first.pipeline };
  const names = rows.map((row) => row.pipeline).join(', ');
  throw new FatalError(
    'usage',
    first === undefined
      ? `the workspace ${workspace} has no import, only ${found.map((each) => each.pipeline).join(', ')}.`
      : `the workspace ${workspace} has several imports: ${names}.`,
    { next: 'Name it behind the workspace; fleet approve takes it with --of.' },
  );
}

/**
 * Queues pipelines with priority over scheduled ones; each runs once its workspace is free. A job that waits for its next
 * attempt keeps no workspace.
 */
export async function queuePipelinesNow(
  pool: Pool,
  queue: JobQueue,
  pipelines: readonly AssignmentId[],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await queue.putBackDelayedIn(client, workspacesOf(pipelines));
    await want(client, pipelines);
  });
  await queue.dispatch();
}

const workspacesOf = (pipelines: readonly AssignmentId[]) => [
  ...new Set(pipelines.map(({ workspace }) => workspace)),
];

/**
 * Removes the dead jobs of the given assignments and queues new ones, and queues at once those that wait for their next
 * attempt; returns the ids of these assignments.
 */
export async function retryDeadJobs(
  pool: Pool,
  queue: JobQueue,
  pipelines: readonly AssignmentId[] | 'all',
): Promise<readonly AssignmentId[]> {
  const retried = await inTransaction(pool, async (client) => {
    const meant = pipelines === 'all' ? await listAssignmentIds(client) : pipelines;
    const isMeant = new Set(meant.map(toKey));
    const delayed = (await queue.putBackDelayedIn(client, workspacesOf(meant))).filter((each) =>
      isMeant.has(toKey(each)),
    );
    await want(client, delayed);
    const found = await queue.forgetDeadIn(client, meant);
    await want(
      client,
      found.filter(({ asked }) => asked === null),
    );
    for (const { workspace, pipeline, asked } of found)
      if (asked !== null)
        await client.query(
          'UPDATE longshore.assignment SET asked = COALESCE(asked, $3) WHERE workspace = $1 AND pipeline = $2',
          [workspace, pipeline, JSON.stringify(asked)],
        );
    const ids = [...found.map(({ workspace, pipeline }) => ({ workspace, pipeline })), ...delayed];
    await forgetReportedFailures(client, ids);
    return ids;
  });
  await queue.dispatch();
  return retried;
}

const toKey = ({ workspace, pipeline }: AssignmentId) => JSON.stringify([workspace, pipeline]);

/**
 * Pauses workspaces: no new job starts, and a running one is given back by its worker. Returns the number of workspaces
 * paused.
 */
export async function pauseWorkspaces(
  pool: Pool,
  queue: JobQueue,
  workspaces: readonly string[],
): Promise<number> {
  return await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'UPDATE longshore.workspace SET paused_at = now() WHERE name = ANY($1) AND paused_at IS NULL',
      [workspaces],
    );
    await queue.putBackIn(client, workspaces);
    return rowCount ?? 0;
  });
}

/**
 * Resumes paused workspaces; a schedule that became due meanwhile runs once. Returns the number of workspaces resumed.
 */
export async function resumeWorkspaces(
  pool: Pool,
  queue: JobQueue,
  workspaces: readonly string[],
): Promise<number> {
  const { rowCount } = await pool.query(
    'UPDATE longshore.workspace SET paused_at = NULL WHERE name = ANY($1) AND paused_at IS NOT NULL',
    [workspaces],
  );
  await queue.dispatch();
  return rowCount ?? 0;
}

/** What keeps queued jobs from starting. */
export interface StartObstacles {
  /** The paused ones of the workspaces. */
  readonly paused: readonly string[];
  /** True if no worker is alive. */
  readonly noWorker: boolean;
}

/** Returns what keeps the jobs of these workspaces from starting. */
export async function findStartObstacles(pool: Pool, workspaces: readonly string[]): Promise<StartObstacles> {
  const paused = await selectRows(
    pool,
    nameRowSchema,
    'SELECT name FROM longshore.workspace WHERE name = ANY($1) AND paused_at IS NOT NULL ORDER BY name',
    [workspaces],
  );
  const [alive] = await selectRows(
    pool,
    nameRowSchema,
    `SELECT name FROM longshore.worker WHERE left_at IS NULL AND seen_at >= now() - ${longestSilentSeconds} * interval '1 second' LIMIT 1`,
  );
  return { paused: paused.map(({ name }) => name), noWorker: alive === undefined };
}

/**
 * Returns the ids of all assignments, sorted by workspace and pipeline; throws a FatalError (usage) if no fleet was
 * applied yet.
 */
export async function listAssignmentIds(client: Pool | PoolClient): Promise<readonly AssignmentId[]> {
  const rows = await selectRows(
    client,
    assignmentIdSchema,
    'SELECT workspace, pipeline FROM longshore.assignment ORDER BY 1, 2',
  );
  if (rows.length === 0) throw nothingApplied();
  return rows;
}

/**
 * Makes the next failure of retried pipelines reported, even if it is the same as before. One that has had an alert
 * together with others stays among them until they work again.
 */
async function forgetReportedFailures(client: PoolClient, pipelines: readonly AssignmentId[]): Promise<void> {
  await client.query(
    `UPDATE longshore.assignment a SET
       reported = CASE WHEN a.reported ? 'isShared' THEN a.reported || '{"isRetried": true}' END
     FROM unnest($1::text[], $2::text[]) AS retried (workspace, pipeline)
     WHERE a.workspace = retried.workspace AND a.pipeline = retried.pipeline`,
    [pipelines.map(({ workspace }) => workspace), pipelines.map(({ pipeline }) => pipeline)],
  );
}

async function want(db: Pool | PoolClient, pipelines: readonly AssignmentId[]): Promise<void> {
  await db.query(
    `UPDATE longshore.assignment a SET wanted_at = COALESCE(a.wanted_at, now()), urgent = true,
       due_at = COALESCE(a.due_at, now()), called_at = now()
     FROM unnest($1::text[], $2::text[]) AS asked (workspace, pipeline)
     WHERE a.workspace = asked.workspace AND a.pipeline = asked.pipeline`,
    [pipelines.map(({ workspace }) => workspace), pipelines.map(({ pipeline }) => pipeline)],
  );
}

function sentence(word: string, known: readonly string[]): string {
  return formatDidYouMean(word, known) || '.';
}
