import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import type { EarlierFailures, ReportedFailure } from '../../app/run/target.ts';
import { selectRows } from '../database/rows.ts';
import type { AssignmentId } from './dead.ts';

const reportedFailure = z.object({
  ...{ exitCode: z.int(), reason: z.string(), isFinal: z.boolean() },
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

/** Returns a failure as the next ones are compared with it. */
export function toReportedFailure(exitCode: number, reason: string, isFinal: boolean): ReportedFailure {
  return { exitCode, reason: reason.replace(/\d+/g, '#'), isFinal };
}

/**
 * Returns true if an alert about this failure was delivered already and there is nothing new to report: it is tried
 * again, or it was given up for the same reason before, as a token that is refused every night.
 */
export function isReportedFailure(
  { reported }: Pick<EarlierFailures, 'reported'>,
  { exitCode, reason, isFinal }: ReportedFailure,
): boolean {
  if (reported === null || reported.over !== undefined) return false;
  return !isFinal || (reported.isFinal && reported.exitCode === exitCode && reported.reason === reason);
}

/**
 * Saves whether an alert was delivered; `failure` is undefined where the job worked. An alert about a failure that did
 * not arrive makes the next attempt send another one; so does one about the success after it.
 */
export async function saveSentAlert(
  pool: Pool,
  { workspace, pipeline }: AssignmentId,
  delivered: boolean,
  failure: ReportedFailure | undefined,
): Promise<void> {
  if (!delivered && failure === undefined) return;
  await pool.query('UPDATE longshore.assignment SET reported = $3 WHERE workspace = $1 AND pipeline = $2', [
    ...[workspace, pipeline],
    delivered && failure !== undefined ? JSON.stringify(failure) : null,
  ]);
}
