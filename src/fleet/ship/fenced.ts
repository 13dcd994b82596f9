import type { Pool, QueryResult } from 'pg';
import type * as z from 'zod';
import type { Clock } from '../../model/ports.ts';
import { checkedRows } from '../database/rows.ts';
import { leaseLost } from '../lease/lease-end.ts';

/** The beginning of a statement for the holder of the token alone: `h` is empty for any other. */
export const fenceSql =
  'h AS (SELECT 1 FROM longshore.holder WHERE workspace = $1 AND token = $2 AND NOT released FOR SHARE)';

/** Access to the database that retries until the lease is over. */
export interface DatabaseAccess {
  readonly pool: Pool;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Aborted once the lease is over; its reason is what stops the run. */
  readonly signal: AbortSignal;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Asks the database, and asks again while it is away, until the signal is aborted: a statement may run twice. Throws what
 * the database has against it.
 */
async function ask(
  { pool, clock, signal }: DatabaseAccess,
  text: string,
  values: readonly unknown[],
): Promise<QueryResult<Record<string, unknown>>> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    signal.throwIfAborted();
    try {
      return await untilAborted(pool.query<Record<string, unknown>>(text, [...values]), signal);
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
    }
    await clock.sleep(waitMs, signal);
  }
}

/** Asks the database for rows, each as a schema describes it. */
export async function askRows<Row>(
  access: DatabaseAccess,
  row: z.ZodType<Row>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return checkedRows(row, text, (await ask(access, text, values)).rows);
}

/** Runs a statement with a fence that changes one row; throws a FatalError 'locked' where the token is another's by now. */
export async function askFenced(
  access: DatabaseAccess,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  const { rowCount } = await ask(access, text, values);
  if (rowCount !== 1) throw leaseLost();
}

/** Rejects at the abort of the signal: a dead network would answer for minutes. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** Codes with which a database says that it cannot be asked just now: connections, shutdowns, restarts, too many at once. */
const awayCodes = /^(08...|57P0[1-5]|53300|40001|40P01)$/;
const sqlState = /^[0-9A-Z]{5}$/;

/** Whether an error is about reaching the database, not about what it was asked. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return 'severity' in error && sqlState.test(code) ? awayCodes.test(code) : true;
}
