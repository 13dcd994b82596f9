import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import type { AlertText, EarlierFailures, ReportedFailure } from '../../app/run/target.ts';
import type { NotifySettings } from '../../pipeline/index.ts';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { type AssignmentId, assignmentIdSchema } from './dead.ts';

const reportedFailure = z.object({
  ...{ exitCode: z.int(), reason: z.string(), isFinal: z.boolean(), to: z.string().exactOptional() },
  at: z.number().exactOptional(),
  isShared: z.literal(true).exactOptional(),
  isRetried: z.literal(true).exactOptional(),
  waits: z.object({ since: z.number(), message: z.string(), next: z.string().nullable() }).exactOptional(),
  over: z.object({ failures: z.int(), failingSince: z.number().nullable() }).exactOptional(),
});

/** The columns of an assignment with its failures in a row. */
export const earlierFailuresRow = z.object({
  failures: z.int(),
  failing_since: z.date().nullable(),
  reported: reportedFailure.nullable(),
});

/** Returns the failures of an assignment; none for an assignment that has left the fleet. */
export function toEarlierFailures(row: z.output<typeof earlierFailuresRow> | undefined): EarlierFailures {
  if (row === undefined) return { failures: 0, failingSince: null, reported: null };
  const { failures, failing_since: since, reported } = row;
  return { failures, failingSince: since?.getTime() ?? null, reported };
}

/** Returns the failures of an assignment as they are now. */
export async function readFailures(
  pool: Pool | PoolClient,
  { workspace, pipeline }: AssignmentId,
): Promise<EarlierFailures> {
  const [row] = await selectRows(
    pool,
    earlierFailuresRow,
    'SELECT failures, failing_since, reported FROM longshore.assignment WHERE workspace = $1 AND pipeline = $2',
    [workspace, pipeline],
  );
  return toEarlierFailures(row);
}

/** Returns a failure as the next ones, and those of other workspaces, are compared with it. */
export function toReportedFailure(
  { workspace, notify }: { readonly workspace: string; readonly notify: NotifySettings | undefined },
  { exitCode, reason }: Pick<ReportedFailure, 'exitCode' | 'reason'>,
  isFinal: boolean,
): ReportedFailure {
  // The URL can be a secret.
  const to = createHash('sha256')
    .update(JSON.stringify(notify ?? null))
    .digest('hex');
  return { exitCode, reason: withoutWorkspace(workspace, reason).replace(/\d+/g, '#'), isFinal, to };
}

/** Returns a text about a workspace as it is about every workspace: its name is in paths, too. */
export function withoutWorkspace(workspace: string, text: string): string {
  return text.replaceAll(workspace, '{workspace}');
}

/**
 * Returns true if an alert about this failure was delivered already and there is nothing new to report: it is tried
 * again, or it was given up for the same reason before, as a token that is refused every night.
 */
export function isReportedFailure(
  { reported }: Pick<EarlierFailures, 'reported'>,
  { exitCode, reason, isFinal }: ReportedFailure,
): boolean {
  if (reported === null || reported.over !== undefined || reported.isRetried === true) return false;
  return !isFinal || (reported.isFinal && reported.exitCode === exitCode && reported.reason === reason);
}

/** The advisory lock under which alerts are collected: of jobs that fail at once, one has an alert of its own. */
const advisoryLock = 4_201_979;

/**
 * Stores the alert about a failure until it is sent; returns true if it waits for one alert about all jobs that failed
 * for the same reason, because one of these was reported before. Otherwise the caller sends it now: if the process dies
 * meanwhile, it waits like the others.
 */
export async function collectAlert(
  pool: Pool,
  { workspace, pipeline }: AssignmentId,
  failure: ReportedFailure,
  { message, next }: AlertText,
  now: number,
): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
    const { isFinal, ...cause } = failure;
    const alike = await client.query(
      `SELECT 1 FROM longshore.assignment WHERE reported @> $3 AND NOT reported ?| '{over,isRetried}'
         AND (workspace, pipeline) <> ($1, $2)
         AND NOT (reported ? 'isShared' AND EXISTS (SELECT 1 FROM longshore.assignment own
           WHERE own.workspace = $1 AND own.pipeline = $2 AND own.reported ? 'isRetried')) LIMIT 1`,
      // What is tried again is nothing new where others were given up; what a person has retried is.
      [workspace, pipeline, JSON.stringify(isFinal ? failure : cause)],
    );
    await saveReported(client, { workspace, pipeline }, { ...failure, waits: { since: now, message, next } });
    return alike.rowCount === 1;
  });
}

/**
 * Saves whether an alert was delivered; `failure` is undefined where the job worked. An alert about a failure that did
 * not arrive makes the next attempt send another one; so does one about the success after it.
 */
export async function saveSentAlert(
  pool: Pool,
  of: AssignmentId,
  delivered: boolean,
  failure: ReportedFailure | undefined,
  now: number,
): Promise<void> {
  if (!delivered && failure === undefined) return;
  await saveReported(pool, of, delivered && failure !== undefined ? { ...failure, at: now } : null);
}

async function saveReported(
  db: Pool | PoolClient,
  { workspace, pipeline }: AssignmentId,
  reported: z.output<typeof reportedFailure> | null,
): Promise<void> {
  await db.query('UPDATE longshore.assignment SET reported = $3 WHERE workspace = $1 AND pipeline = $2', [
    ...[workspace, pipeline],
    reported === null ? null : JSON.stringify(reported),
  ]);
}

const reportedRow = assignmentIdSchema.extend({
  kind: z.enum(['import', 'export']),
  failing_since: z.date().nullable(),
  failures: z.int(),
  reported: reportedFailure,
});

type ReportedRow = z.output<typeof reportedRow>;

/** One alert about several jobs. */
export interface SharedAlert {
  readonly event: 'failure' | 'recovery';
  readonly cause: ReportedFailure;
  readonly kind: 'import' | 'export';
  /** The text of the alert about one of the jobs. */
  readonly text: AlertText;
  readonly pipelines: readonly AssignmentId[];
  /** The time of the first failure (ms since 1970). */
  readonly failingSince: number | null;
  /** The largest number of failed attempts in a row. */
  readonly failures: number;
}

/** The shortest and the longest time for which alerts are collected: the longer a reason lasts, the fewer are sent. */
const [leastMs, mostMs] = [5 * 60_000, 4 * 60 * 60_000];

/**
 * Returns the alerts about several jobs that are due: failures that have been collected for as long as their reason had
 * been known before, and jobs that all work again.
 */
export async function findSharedAlerts(
  client: Pool | PoolClient,
  now: number,
): Promise<readonly SharedAlert[]> {
  const rows = await selectRows(
    client,
    reportedRow,
    `SELECT workspace, pipeline, kind, failing_since, failures, reported FROM longshore.assignment
     WHERE reported IS NOT NULL ORDER BY 1, 2`,
  );
  const byReason = new Map<string, ReportedRow[]>();
  for (const row of rows) {
    const { exitCode, reason, isFinal, to } = row.reported;
    const key = JSON.stringify([exitCode, reason, isFinal, to]);
    byReason.set(key, [...(byReason.get(key) ?? []), row]);
  }
  return [...byReason.values()].flatMap((alike) => {
    const failing = alike.filter(({ reported }) => reported.over === undefined);
    const shared = alike.filter(({ reported }) => reported.isShared === true);
    if (failing.length === 0) return shared.length === 0 ? [] : [toRecovery(shared)];
    const waiting = failing.filter(({ reported }) => reported.waits !== undefined);
    return isDue(failing, now) ? [toFailure(waiting)] : [];
  });
}

function isDue(failing: readonly ReportedRow[], now: number): boolean {
  const waiting = failing.flatMap(({ reported }) => reported.waits?.since ?? []);
  const oldest = Math.min(...waiting);
  const known = Math.min(oldest, ...failing.flatMap(({ reported }) => reported.at ?? []));
  return now - oldest >= Math.min(mostMs, Math.max(leastMs, oldest - known));
}

const idOf = ({ workspace, pipeline }: AssignmentId): AssignmentId => ({ workspace, pipeline });

function toFailure(rows: readonly ReportedRow[]): SharedAlert {
  const since = rows.flatMap(({ failing_since: time }) => time?.getTime() ?? []);
  return {
    ...toShared('failure', rows),
    failures: Math.max(...rows.map(({ failures }) => failures)),
    failingSince: since.length === 0 ? null : Math.min(...since),
  };
}

function toRecovery(rows: readonly ReportedRow[]): SharedAlert {
  const since = rows.flatMap(({ reported }) => reported.over?.failingSince ?? []);
  return {
    ...toShared('recovery', rows),
    failures: Math.max(...rows.map(({ reported }) => reported.over?.failures ?? 0)),
    failingSince: since.length === 0 ? null : Math.min(...since),
  };
}

function toShared(event: SharedAlert['event'], rows: readonly ReportedRow[]) {
  const [first] = rows;
  const { exitCode = 0, reason = '', isFinal = false, to, waits } = first?.reported ?? {};
  const text = { message: waits?.message ?? reason, next: waits?.next ?? null };
  const cause = { exitCode, reason, isFinal, ...(to !== undefined && { to }) };
  return { event, cause, kind: first?.kind ?? 'import', text, pipelines: rows.map(idOf) };
}

/** Saves that an alert about several jobs was delivered; a job that has failed for another reason since is left out. */
export async function saveSentSharedAlert(
  db: Pool | PoolClient,
  { event, cause, pipelines }: SharedAlert,
  now: number,
): Promise<void> {
  await db.query(
    `UPDATE longshore.assignment a SET reported = CASE WHEN $3 = 'failure'
       THEN a.reported - 'waits' || jsonb_build_object('at', $5::float8, 'isShared', true) END
     FROM unnest($1::text[], $2::text[]) AS sent (workspace, pipeline)
     WHERE a.workspace = sent.workspace AND a.pipeline = sent.pipeline AND a.reported @> $4
       AND a.reported ? CASE WHEN $3 = 'failure' THEN 'waits' ELSE 'over' END`,
    [
      pipelines.map(({ workspace }) => workspace),
      pipelines.map(({ pipeline }) => pipeline),
      ...[event, JSON.stringify(cause), now],
    ],
  );
}
