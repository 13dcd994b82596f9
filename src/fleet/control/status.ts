import type { Pool } from 'pg';
import * as z from 'zod';
import { formatHint, type Invocation } from '../../app/run/command-line.ts';
import { type Command, toCommand } from '../../model/command.ts';
import { defaultLateAfter } from '../apply/plan.ts';
import { selectRows } from '../database/rows.ts';
import { assignmentIdSchema } from '../queue/dead.ts';
import { type JobResult, jobResultSchema } from '../queue/job.ts';
import { deadLetterQueueName, jobQueueName, queueSchema } from '../queue/names.ts';

/** Where a pipeline of a workspace stands. */
export type AssignmentState =
  | 'failed'
  | 'look'
  | 'running'
  | 'retrying'
  | 'queued'
  | 'paused'
  | 'waiting'
  | 'idle';

/** What the last try of a pipeline of a workspace came to. */
export interface AttemptResult extends JobResult {
  /** When it ended. */
  readonly endedAt: string | null;
}

/** How many pipelines of workspaces are in which state, and how many of them are late. */
export interface FleetCounts {
  /** Given up; `fleet retry` has them tried again. */
  readonly failed: number;
  /** Its last run has left something for a person, or waits for one. */
  readonly look: number;
  /** A worker has the job. */
  readonly running: number;
  /** Failed, and tried again later. */
  readonly retrying: number;
  /** Wanted, and waiting for a worker or for another job of the workspace. */
  readonly queued: number;
  /** Nothing is started until `fleet resume`. */
  readonly paused: number;
  /** For the next time of their schedule. */
  readonly waiting: number;
  /** Without a schedule, and not asked for. */
  readonly idle: number;
  /** Those that have owed a success for longer than their `lateAfter`. */
  readonly late: number;
}

/** A pipeline of a workspace in the list of `fleet status`. */
export interface AssignmentStatus {
  /** The name under which the fleet knows it. */
  readonly workspace: string;
  /** The name under which the fleet knows it. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  readonly state: AssignmentState;
  /** For how long a success has been owed, where that is longer than `lateAfter`; null otherwise. */
  readonly lateSeconds: number | null;
  /** ISO 8601, UTC, as all times here. */
  readonly lastSuccessAt: string | null;
  /** When a worker last took its job. */
  readonly lastStartedAt: string | null;
  /** When its schedule starts it next; null without a schedule. */
  readonly nextAt: string | null;
  /** How many tries in a row have failed. */
  readonly failures: number;
  /** What the last try came to. */
  readonly last: AttemptResult | null;
  /** The worker that has its job. */
  readonly worker: string | null;
  /** The command to type next; null where there is nothing to do. */
  readonly next: string | null;
}

/** A worker in the list of `fleet status`. */
export interface WorkerStatus {
  /** Another name for each process. */
  readonly worker: string;
  /** The machine. */
  readonly host: string;
  readonly startedAt: string;
  /** How long ago it was heard of. */
  readonly silentSeconds: number;
  /** Whether it takes no more jobs. */
  readonly draining: boolean;
  /** How many it has. */
  readonly jobs: number;
  /** Whether it was heard of within a minute: others are not counted. */
  readonly alive: boolean;
  /** Why its machine takes no job at all; null where it takes some. */
  readonly notReady: string | null;
  /** The workspaces of which it takes no job, each with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

/** What `fleet status` prints. */
export interface FleetStatus {
  /** The name of the fleet; null where none was applied yet. */
  readonly fleet: string | null;
  /** When fleet.yaml was applied; null where none was. */
  readonly appliedAt: string | null;
  /** When this was so. */
  readonly at: string;
  /** How many are in which state. */
  readonly counts: FleetCounts;
  /** The workers that are there, or were a short while ago. */
  readonly workers: readonly WorkerStatus[];
  /** Late ones first. */
  readonly assignments: readonly AssignmentStatus[];
}

type FoundAssignment = Omit<AssignmentStatus, 'next'> & { readonly next: Command | null };

/** The status of a fleet whose commands are not written out yet. */
export type FoundStatus = Omit<FleetStatus, 'assignments'> & {
  readonly assignments: readonly FoundAssignment[];
};

const assignmentRow = assignmentIdSchema.extend({
  kind: z.enum(['import', 'export']),
  paused: z.boolean(),
  worker: z.string().nullable(),
  state: z.string().nullable(),
  dead: z.boolean(),
  wanted: z.boolean(),
  late: z.number().nullable(),
  next_at: z.string().nullable(),
  last_started_at: z.string().nullable(),
  last_success_at: z.string().nullable(),
  last_ended_at: z.string().nullable(),
  last_run: jobResultSchema.nullable(),
  failures: z.int(),
});

type AssignmentRow = z.output<typeof assignmentRow>;

/** Returns the current status of the fleet, or of one workspace of it. */
export async function readFleetStatus(pool: Pool, workspace?: string): Promise<FoundStatus> {
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

/** Seconds without a heartbeat after which a worker counts as dead. */
const longestSilentSeconds = 60;

// The database formats times ten times faster than the driver, and there may be 50,000 rows.
const iso = (column: string) =>
  `to_char(a.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

// A scheduled time that no worker has noted for a while is owed, too.
const rowsSql = `
  SELECT a.workspace, a.pipeline, a.kind, w.paused_at IS NOT NULL AS paused, j.state::text,
    CASE WHEN j.id IS NULL THEN NULL ELSE k.name END AS worker, d.workspace IS NOT NULL AS dead,
    a.wanted_at IS NOT NULL OR a.asked IS NOT NULL AS wanted,
    ${['next_at', 'last_started_at', 'last_success_at', 'last_ended_at'].map(iso).join(', ')},
    a.last_run, a.failures,
    CASE WHEN COALESCE(a.due_at, a.next_at)
        < now() - COALESCE((a.settings->>'lateAfter')::bigint, ${defaultLateAfter}) * interval '1 ms'
      THEN extract(epoch FROM now() - COALESCE(a.due_at, a.next_at))::float8 END AS late
  FROM longshore.assignment a
  JOIN longshore.workspace w ON w.name = a.workspace
  LEFT JOIN ${queueSchema}.job j
    ON j.name = $1 AND j.id = w.job AND j.state <= 'active' AND j.data->>'pipeline' = a.pipeline
  LEFT JOIN longshore.worker k
    ON k.name = w.worker AND k.left_at IS NULL AND k.seen_at >= now() - ${longestSilentSeconds} * interval '1 second'
  LEFT JOIN (SELECT DISTINCT data->>'workspace' AS workspace, data->>'pipeline' AS pipeline
    FROM ${queueSchema}.job WHERE name = $2) d ON d.workspace = a.workspace AND d.pipeline = a.pipeline
  WHERE $3::text IS NULL OR a.workspace = $3`;

function statusOf(row: AssignmentRow): FoundAssignment {
  const { workspace, pipeline, kind, worker, late, failures, last_run } = row;
  const state = stateOf(row);
  return {
    ...{ workspace, pipeline, kind, state, lateSeconds: late, failures, worker },
    lastSuccessAt: row.last_success_at,
    lastStartedAt: row.last_started_at,
    nextAt: row.next_at,
    last: last_run === null ? null : { ...last_run, endedAt: row.last_ended_at },
    next: nextOf(state, row),
  };
}

function stateOf({ state, worker, dead, paused, wanted, next_at, last_run }: AssignmentRow): AssignmentState {
  // An active job whose worker is dead waits for another worker.
  if (state === 'active') return worker === null ? 'queued' : 'running';
  if (dead && !wanted) return 'failed';
  if (paused) return 'paused';
  if (state === 'retry') return 'retrying';
  if (state !== null || wanted) return 'queued';
  if (last_run?.exitCode === 3 || last_run?.waitsFor === 'person') return 'look';
  return next_at === null ? 'idle' : 'waiting';
}

function nextOf(state: AssignmentState, { workspace, pipeline }: AssignmentRow): Command | null {
  if (state === 'failed') return toCommand('fleet', 'retry', workspace, pipeline);
  if (state === 'look') return toCommand('fleet', 'status', workspace);
  return state === 'paused' ? toCommand('fleet', 'resume', workspace) : null;
}

/** Returns a status with its commands as they are typed there. */
export function typedStatus(status: FoundStatus, invocation: Invocation): FleetStatus {
  const assignments = status.assignments.map((each) => ({
    ...each,
    next: each.next && formatHint(each.next, invocation),
  }));
  return { ...status, assignments };
}

/** A finished attempt of a pipeline. */
export interface Attempt extends AttemptResult {
  readonly pipeline: string;
}

/** Returns the latest attempts of a workspace's pipelines, the newest first. */
export async function listAttempts(pool: Pool, workspace: string): Promise<readonly Attempt[]> {
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

/** Compares assignments: the longest late first, then by name. */
function byUrgency(one: FoundAssignment, other: FoundAssignment): number {
  const late = (other.lateSeconds ?? -1) - (one.lateSeconds ?? -1);
  return late || compare(one.workspace, other.workspace) || compare(one.pipeline, other.pipeline);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
