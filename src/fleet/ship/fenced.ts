import type { Pool, QueryResult } from 'pg';
import type * as z from 'zod';
import type { Clock } from '../../model/ports.ts';
import { parseRows } from '../database/rows.ts';
import { createLeaseLostError } from '../lease/lease-end.ts';

/** The CTE that restricts a statement to the holder of the lease token; `h` is empty for others. */
export const leaseFenceSql =
  'h AS (SELECT 1 FROM longshore.holder WHERE workspace = $1 AND token = $2 AND NOT released FOR SHARE)';

/** The database, and the signal that ends the retries of its queries. */
export interface DatabaseAccess {
  readonly pool: Pool;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Aborts when the lease is over; its reason stops the run. */
  readonly signal: AbortSignal;
}

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Runs a query. Retries while the database is unreachable, until the signal is aborted; a statement may therefore run
 * twice. Throws all other errors of the database.
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

/** Queries rows, each parsed with a schema; retries while the database is unreachable. */
export async function queryRowsWithRetry<Row>(
  access: DatabaseAccess,
  row: z.ZodType<Row>,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return parseRows(row, text, (await ask(access, text, values)).rows);
}

/**
 * Runs a fenced statement that changes one row, with retries; throws a FatalError (locked) if the token is no longer
 * the holder's.
 */
export async function executeFenced(
  access: DatabaseAccess,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  const { rowCount } = await ask(access, text, values);
  if (rowCount !== 1) throw createLeaseLostError();
}

/**
 * Resolves like `work`, but rejects as soon as the signal is aborted: a query on a dead connection may hang for
 * minutes.
 */
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

/**
 * PostgreSQL's codes for a temporarily unavailable database: connections, shutdowns, restarts, serialization,
 * deadlocks.
 */
const awayCodes = /^(08...|57P0[1-5]|53300|40001|40P01)$/;
const sqlState = /^[0-9A-Z]{5}$/;

/**
 * True for a temporary failure, which a retry may solve: an unreachable database, a deadlock; false for an
 * error of the query.
 */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return 'severity' in error && sqlState.test(code) ? awayCodes.test(code) : true;
}
