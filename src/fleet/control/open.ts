import type { Pool } from 'pg';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import { connectDatabase } from '../database/connect.ts';
import { assertMigrated, inTransaction, migrateDatabase } from '../database/migrate.ts';
import { prepareWorkerRole, type WorkerRole } from '../database/roles.ts';
import { prepareQueue } from '../queue/boss.ts';
import { type JobQueue, openQueue } from '../queue/queue.ts';
import { databaseVariable } from '../variables.ts';
import { type FleetStatus, fleetStatus } from './status.ts';

/** The fleet's database and its queue, open. */
export interface OpenFleet {
  readonly pool: Pool;
  readonly queue: JobQueue;
}

/**
 * Works with the fleet's database, which has to be prepared, and closes it in the end. Where it is away for the moment, as one
 * that is starting, and `whileAway` is given, it is asked again as often as that resolves; it gets PostgreSQL's or the
 * system's code. Otherwise a FatalError (unreachable) is thrown.
 */
export async function withFleet<T>(
  url: string | undefined,
  work: (fleet: OpenFleet) => Promise<T>,
  whileAway?: (code: string) => Promise<void>,
): Promise<T> {
  const pool = await connectDatabase(url);
  try {
    return await work(await openFleet(pool, whileAway));
  } finally {
    await pool.end();
  }
}

async function openFleet(pool: Pool, whileAway?: (code: string) => Promise<void>): Promise<OpenFleet> {
  for (;;) {
    try {
      return await answered(async () => {
        await assertMigrated(pool);
        return { pool, queue: await openQueue(pool) };
      });
    } catch (error) {
      const code = error instanceof FatalError && error.cause instanceof Error ? codeOf(error.cause) : '';
      if (whileAway === undefined || !awayCodes.test(code)) throw error;
      await whileAway(code);
    }
  }
}

/** The result of `fleet init`. */
export interface PreparedDatabase {
  readonly from: number;
  readonly to: number;
  readonly role: WorkerRole;
}

/** Prepares the fleet's database: its tables, the queue, and the role of the workers; also one that is prepared already. */
export async function prepareDatabase(
  url: string | undefined,
  workerPassword: string | undefined,
): Promise<PreparedDatabase> {
  const pool = await connectDatabase(url);
  try {
    await answered(() => pool.query('SELECT 1'));
    const { from, to } = await migrateDatabase(pool).catch((error: unknown) => {
      throw notAllowed(error);
    });
    await prepareQueue(pool);
    const role = await inTransaction(pool, async (client) => await prepareWorkerRole(client, workerPassword));
    return { from, to, role };
  } finally {
    await pool.end();
  }
}

/** ms between two queries. */
const paceMs = 2_000;

/**
 * How the fleet stands, every two seconds, until it is stopped; throws what it is stopped with, and a FatalError where the
 * database is not prepared or does not answer.
 */
export async function* watchStatus(
  url: string | undefined,
  clock: Clock,
  stop: AbortSignal,
): AsyncGenerator<FleetStatus> {
  const pool = await connectDatabase(url);
  try {
    await answered(() => assertMigrated(pool));
    for (;;) {
      yield await answered(() => fleetStatus(pool));
      await clock.sleep(paceMs, stop);
    }
  } finally {
    await pool.end();
  }
}

/** Throws a FatalError where the database does not answer, or does not let this user in. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof FatalError) throw cause;
    const detail = cause instanceof Error ? codeOf(cause) : String(cause);
    throw new FatalError('unreachable', `the fleet's database does not answer as it should (${detail}).`, {
      next: `Is it running, and is ${databaseVariable} right? Then type the same command again.`,
      cause,
    });
  }
}

/** Refused or cut connections, and what PostgreSQL answers while it starts, stops, or has too many. */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|08\d{3}|57P0[1-3]|53300)$/;

/** Without the address, which has a password in it. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const insufficientPrivilege = '42501';

function notAllowed(cause: unknown): unknown {
  if (!(cause instanceof Error) || codeOf(cause) !== insufficientPrivilege) return cause;
  return new FatalError('usage', `this user may not prepare the database: ${cause.message}.`, {
    next: `Set ${databaseVariable} to the URL of the owner of the database, then type the same command again.`,
    cause,
  });
}
