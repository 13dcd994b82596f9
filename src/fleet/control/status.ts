import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { formatHint, type Invocation } from '../../app/run/command-line.ts';
import { type Command, toCommand } from '../../model/command.ts';
import { defaultLateAfter } from '../apply/plan.ts';
import { inSnapshotTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { jobWaitSchema } from '../job/messages.ts';
import { assignmentIdSchema } from '../queue/dead.ts';
import { type JobResult, jobResultSchema } from '../queue/job.ts';
import { deadLetterQueueName, jobQueueName, queueSchemaName } from '../queue/names.ts';
import { longestSilentSeconds } from '../queue/worker-record.ts';

/** The state of a pipeline of a workspace. */
export type AssignmentState =
  | 'failed'
  | 'look'
  | 'running'
  | 'retrying'
  | 'queued'
  | 'paused'
  | 'waiting'
  | 'idle';

/** The result of an attempt to run a pipeline of a workspace. */
export interface JobAttemptResult extends JobResult {
  /** The time the attempt ended; null if unknown. */
  readonly endedAt: string | null;
}

/** The numbers of pipelines of workspaces by state, and of those that are late. */
export interface FleetCounts {
  /** Not retried any more: run again by `fleet retry`, or at the next time of the schedule. */
  readonly failed: number;
  /** The last run requires manual actions, or waits for a person's decision. */
  readonly look: number;
  /** A live worker runs the job. */
  readonly running: number;
  /** Failed or interrupted, and waiting to be retried. */
  readonly retrying: number;
  /** Due, and waiting for a worker or for another job of the workspace. */
  readonly queued: number;
  /** The workspace is paused: nothing is started until `fleet resume`. */
  readonly paused: number;
  /** Waiting for the next time of the schedule. */
  readonly waiting: number;
  /** Without a schedule, and not requested. */
  readonly idle: number;
  /** Due without a success for longer than `lateAfter`, in any state. */
  readonly late: number;
}

/** The wait of a running job for its workspace. */
export interface WorkspaceWaitStatus {
  /** The time it began. */
  readonly since: string;
  /** Why no request gets through. */
  readonly reason: string;
}

/** A pipeline of a workspace in the list of `fleet status`. */
export interface AssignmentStatus {
  /** The name of the workspace in the fleet file. */
  readonly workspace: string;
  /** The name of the pipeline in the fleet file. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  readonly state: AssignmentState;
  /** The time since a success was due, if it is longer than `lateAfter`; otherwise null. */
  readonly lateSeconds: number | null;
  /** The time of the last success; null if there was none. All times are ISO 8601, in UTC. */
  readonly lastSuccessAt: string | null;
  /** The time a worker last took its job; null if none did. */
  readonly lastStartedAt: string | null;
  /** The next time of its schedule; null without a schedule. */
  readonly nextAt: string | null;
  /** The time of the next attempt after a failed one; null if it does not wait for one. */
  readonly retryAt: string | null;
  /** The number of failed attempts in a row. */
  readonly failures: number;
  /** The time of the first of them; null if the last attempt did not fail. */
  readonly failingSince: string | null;
  /** The result of the last attempt; null before the first one ends. */
  readonly last: JobAttemptResult | null;
  /** The live worker that has its job; null if none has. */
  readonly worker: string | null;
  /** The wait of its job for the workspace; null while it does not wait. */
  readonly waitsFor: WorkspaceWaitStatus | null;
  /** The command to type next; null if there is nothing to do. */
  readonly next: string | null;
}

/** A worker in the list of `fleet status`. */
export interface WorkerStatus {
  /** The name of the worker process; no two processes have the same. */
  readonly worker: string;
  /** The name of its machine. */
  readonly host: string;
  readonly startedAt: string;
  /** The time since its last heartbeat. */
  readonly silentSeconds: number;
  /** True if it takes no more jobs and gives back the jobs that it has. */
  readonly draining: boolean;
  /** The number of jobs that it has at the moment. */
  readonly jobs: number;
  /** True if its last heartbeat is at most a minute old. */
  readonly alive: boolean;
  /** The reason that its machine takes no job at all; null if it takes jobs. */
  readonly notReady: string | null;
  /** The workspaces whose jobs it refuses, each with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

/** The status of a fleet, as `fleet status` prints it. */
export interface FleetStatus {
  /** The name of the fleet; null if none was applied yet. */
  readonly fleet: string | null;
  /** The time fleet.yaml was last applied; null if none was. */
  readonly appliedAt: string | null;
  /** The time of this status. */
  readonly at: string;
  /** The number of pipelines in each state; in the status of one workspace, only of its own pipelines. */
  readonly counts: FleetCounts;
  /** The workers that have not shut down; a worker without a heartbeat is removed after a day. */
  readonly workers: readonly WorkerStatus[];
  /**
   * The pipelines of all workspaces, or of the requested one: those that failed, then those that need a look, then those
   * that have been late for longest.
   */
  readonly assignments: readonly AssignmentStatus[];
}

type FoundAssignment = Omit<AssignmentStatus, 'next'> & { readonly next: Command | null };

/** The status of a fleet with its next commands as data, not yet as text. */
export type RawFleetStatus = Omit<FleetStatus, 'assignments'> & {
  readonly assignments: readonly FoundAssignment[];
};

const assignmentRow = assignmentIdSchema.extend({
  kind: z.enum(['import', 'export']),
  paused: z.boolean(),
  worker: z.string().nullable(),
  state: z.string().nullable(),
  dead: z.boolean(),
  wanted: z.boolean(),
  due: z.boolean(),
  late: z.number().nullable(),
  next_at: z.string().nullable(),
  last_started_at: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_ended_at: z.string().nullable(),
  retry_at: z.string().nullable(),
  last_run: jobResultSchema.nullable(),
  failures: z.int(),
  failing_since: z.string().nullable(),
  wait: jobWaitSchema.nullable(),
});

type AssignmentRow = z.output<typeof assignmentRow>;

/** Returns the current status of the fleet, or of one workspace of it. */
export async function readFleetStatus(pool: Pool | PoolClient, workspace?: string): Promise<RawFleetStatus> {
  const [fleet] = await selectRows(
    pool,
    z.object({ name: z.string(), applied_at: z.date() }),
    'SELECT name, applied_at FROM longshore.fleet',
  );
  const [time] = await selectRows(pool, z.object({ now: z.date() }), 'SELECT now()');
  const workers = await selectRows(
    pool,
    workerRow,
    `SELECT name, host, started_at, extract(epoch FROM now() - seen_at)::float8 AS silent, draining, not_ready, refused,
       (SELECT count(*)::int FROM longshore.workspace w WHERE w.worker = worker.name) AS jobs
     FROM longshore.worker WHERE left_at IS NULL ORDER BY name`,
  );
  const rows = await selectRows(pool, assignmentRow, rowsSql, [
    jobQueueName,
    deadLetterQueueName,
    workspace ?? null,
  ]);
  const assignments = rows.map(statusOf).sort(byUrgency);
  const of = (state: AssignmentState) => assignments.filter((each) => each.state === state).length;
  return {
    fleet: fleet?.name ?? null,
    appliedAt: fleet?.applied_at.toISOString() ?? null,
    at: (time?.now ?? new Date(0)).toISOString(),
    counts: {
      failed: of('failed'),
      look: of('look'),
      running: of('running'),
      retrying: of('retrying'),
      queued: of('queued'),
      paused: of('paused'),
      waiting: of('waiting'),
      idle: of('idle'),
      late: assignments.filter(({ lateSeconds }) => lateSeconds !== null).length,
    },
    workers: workers.map(({ name, host, started_at, silent, draining, jobs, not_ready, refused }) => ({
      worker: name,
      ...{ host, startedAt: started_at.toISOString(), silentSeconds: Math.max(0, silent), draining, jobs },
      ...{ alive: silent <= longestSilentSeconds, notReady: not_ready },
      refused: Object.fromEntries(Object.entries(refused).map(([name, { message }]) => [name, message])),
    })),
    assignments,
  };
}

const workerRow = z.object({
  name: z.string(),
  host: z.string(),
  started_at: z.date(),
  silent: z.number(),
  draining: z.boolean(),
  jobs: z.int(),
  not_ready: z.string().nullable(),
  refused: z.record(z.string(), z.object({ message: z.string() })),
});

// The database formats times ten times faster than the driver, and there may be 50,000 rows.
const isoOf = (time: string, column: string) =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;
const iso = (column: string) => isoOf(`a.${column}`, column);

// A scheduled time that has passed is due even if no worker has marked it yet.
const rowsSql = `
  SELECT a.workspace, a.pipeline, a.kind, w.paused_at IS NOT NULL AS paused, j.state::text,
    CASE WHEN j.id IS NULL THEN NULL ELSE k.name END AS worker, d.workspace IS NOT NULL AS dead,
    a.wanted_at IS NOT NULL OR a.asked IS NOT NULL AS wanted,
    a.next_at IS NOT NULL AND a.next_at <= now() AS due,
    ${['next_at', 'last_started_at', 'last_success_at', 'last_ended_at', 'failing_since'].map(iso).join(', ')},
    ${isoOf("CASE WHEN j.state = 'retry' AND j.start_after > now() THEN j.start_after END", 'retry_at')},
    a.last_run, a.failures,
    CASE WHEN j.state = 'active' THEN (SELECT at.job->'wait' FROM jsonb_array_elements(k.jobs) AS at (job)
      WHERE at.job->>'workspace' = a.workspace AND at.job->>'pipeline' = a.pipeline AND at.job ? 'wait' LIMIT 1) END AS wait,
    CASE WHEN COALESCE(a.due_at, a.next_at)
        < now() - COALESCE((a.settings->>'lateAfter')::bigint, ${defaultLateAfter}) * interval '1 ms'
      THEN extract(epoch FROM now() - COALESCE(a.due_at, a.next_at))::float8 END AS late
  FROM longshore.assignment a
  JOIN longshore.workspace w ON w.name = a.workspace
  LEFT JOIN ${queueSchemaName}.job j
    ON j.name = $1 AND j.id = w.job AND j.state <= 'active' AND j.data->>'pipeline' = a.pipeline
  LEFT JOIN longshore.worker k
    ON k.name = w.worker AND k.left_at IS NULL AND k.seen_at >= now() - ${longestSilentSeconds} * interval '1 second'
  LEFT JOIN (SELECT DISTINCT data->>'workspace' AS workspace, data->>'pipeline' AS pipeline
    FROM ${queueSchemaName}.job WHERE name = $2) d ON d.workspace = a.workspace AND d.pipeline = a.pipeline
  WHERE $3::text IS NULL OR a.workspace = $3`;

function statusOf(row: AssignmentRow): FoundAssignment {
  const { workspace, pipeline, kind, worker, late, failures, last_run, wait } = row;
  const state = stateOf(row);
  return {
    ...{ workspace, pipeline, kind, state, lateSeconds: late, failures, worker },
    lastSuccessAt: row.last_success_at,
    lastStartedAt: row.last_started_at,
    nextAt: row.next_at,
    retryAt: row.retry_at,
    failingSince: row.failing_since,
    waitsFor: wait && { since: new Date(wait.since).toISOString(), reason: wait.reason },
    last: last_run === null ? null : { ...last_run, endedAt: row.last_ended_at },
    next: nextOf(state, row),
  };
}

function stateOf(row: AssignmentRow): AssignmentState {
  const { state, worker, dead, paused, wanted, due, next_at, last_run } = row;
  // An active job whose worker is dead waits for another worker.
  if (state === 'active') return worker === null ? 'queued' : 'running';
  if (dead && !wanted) return 'failed';
  if (paused) return 'paused';
  if (state === 'retry') return 'retrying';
  if (state !== null || wanted) return 'queued';
  if (last_run?.exitCode === 3 || last_run?.waitsFor === 'person') return 'look';
  if (next_at === null) return 'idle';
  return due ? 'queued' : 'waiting';
}

function nextOf(state: AssignmentState, { workspace, pipeline }: AssignmentRow): Command | null {
  if (state === 'failed' || state === 'retrying') return toCommand('fleet', 'retry', workspace, pipeline);
  if (state === 'look') return toCommand('fleet', 'status', workspace);
  return state === 'paused' ? toCommand('fleet', 'resume', workspace) : null;
}

/** Returns the number of pipelines that wait for a worker while none takes their jobs. */
export function countStalledPipelines({
  assignments,
  workers,
}: Pick<FleetStatus, 'workers'> & {
  readonly assignments: readonly Pick<AssignmentStatus, 'state' | 'workspace'>[];
}): number {
  const taking = workers.filter(({ alive, draining, notReady }) => alive && !draining && notReady === null);
  return assignments.filter(
    ({ state, workspace }) =>
      (state === 'queued' || state === 'retrying') && taking.every(({ refused }) => workspace in refused),
  ).length;
}

/** Returns a status with its commands as text, as this invocation types them. */
export function toFleetStatus(status: RawFleetStatus, invocation: Invocation): FleetStatus {
  const assignments = status.assignments.map((each) => ({
    ...each,
    next: each.next && formatHint(each.next, invocation),
  }));
  return { ...status, assignments };
}

/** A finished attempt of a pipeline. */
export interface PipelineAttempt extends JobAttemptResult {
  readonly pipeline: string;
}

/** Returns the status of one workspace of the fleet and the attempts of its pipelines, both as of the same moment. */
export async function readWorkspaceStatus(
  pool: Pick<Pool, 'connect'>,
  workspace: string,
): Promise<{ readonly status: RawFleetStatus; readonly attempts: readonly PipelineAttempt[] }> {
  return await inSnapshotTransaction(pool, async (client) => ({
    status: await readFleetStatus(client, workspace),
    attempts: await listAttempts(client, workspace),
  }));
}

/** Returns the latest attempts of a workspace's pipelines, the newest first. */
export async function listAttempts(
  pool: Pool | PoolClient,
  workspace: string,
): Promise<readonly PipelineAttempt[]> {
  const rows = await selectRows(
    pool,
    z.object({ pipeline: z.string(), ended_at: z.date(), ending: jobResultSchema }),
    'SELECT pipeline, ended_at, ending FROM longshore.attempt WHERE workspace = $1 ORDER BY id DESC',
    [workspace],
  );
  return rows.map(({ pipeline, ended_at, ending }) => ({
    pipeline,
    ...ending,
    endedAt: ended_at.toISOString(),
  }));
}

/** Compares assignments: those that need a person first, then by lateness, the longest first, then by name. */
function byUrgency(one: FoundAssignment, other: FoundAssignment): number {
  const late = (other.lateSeconds ?? -1) - (one.lateSeconds ?? -1);
  return (
    needOf(one) - needOf(other) ||
    late ||
    compare(one.workspace, other.workspace) ||
    compare(one.pipeline, other.pipeline)
  );
}

/** Returns 0 for a pipeline that failed, 1 for one that needs a look, and 2 for any other. */
function needOf({ state }: FoundAssignment): number {
  if (state === 'failed') return 0;
  return state === 'look' ? 1 : 2;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
