import type { Pool } from 'pg';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import { connectDatabase } from '../database/connect.ts';
import { assertMigrated, inTransaction, migrateDatabase } from '../database/migrate.ts';
import { prepareWorkerRole, type WorkerRolePreparationResult } from '../database/roles.ts';
import { prepareQueue } from '../queue/boss.ts';
import { type JobQueue, openJobQueue } from '../queue/queue.ts';
import { fleetDatabaseVariable } from '../variables.ts';
import { type RawFleetStatus, readFleetStatus } from './status.ts';

/** An open connection to the fleet's database, and its job queue. */
export interface FleetConnection {
  readonly pool: Pool;
  readonly queue: JobQueue;
}

/**
 * Connects to the fleet's database and queue, runs `work` and disconnects. While the database is unavailable,
 * `whileAway` gets the error code and is awaited before each retry; without it a FatalError (unreachable) is thrown.
 * Throws a FatalError (usage) for a database that is not prepared.
 */
export async function withFleetConnection<T>(
  url: string | undefined,
  work: (fleet: FleetConnection) => Promise<T>,
  whileAway?: (code: string) => Promise<void>,
): Promise<T> {
  const pool = await connectDatabase(url);
  try {
    return await work(await openFleet(pool, whileAway));
  } finally {
    await pool.end();
  }
}

async function openFleet(pool: Pool, whileAway?: (code: string) => Promise<void>): Promise<FleetConnection> {
  for (;;) {
    try {
      return await answered(async () => {
        await assertMigrated(pool);
        return { pool, queue: await openJobQueue(pool) };
      });
    } catch (error) {
      const code = error instanceof FatalError && error.cause instanceof Error ? codeOf(error.cause) : '';
      if (whileAway === undefined || !awayCodes.test(code)) throw error;
      await whileAway(code);
    }
  }
}

/** The result of `fleet init`: the schema versions before and after, and the workers' role. */
export interface DatabasePreparationResult {
  readonly from: number;
  readonly to: number;
  readonly role: WorkerRolePreparationResult;
}

/**
 * Creates or updates the fleet's tables, the queue and the workers' role; throws a FatalError (usage) if the database
 * user lacks the privilege.
 */
export async function prepareDatabase(
  url: string | undefined,
  workerPassword: string | undefined,
): Promise<DatabasePreparationResult> {
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

/** The pause between two queries of the status (ms). */
const paceMs = 2_000;

/**
 * Yields the fleet's status every two seconds until `stop` is aborted, then throws its reason. Throws a FatalError if
 * the database is not prepared or does not answer.
 */
export async function* pollFleetStatus(
  url: string | undefined,
  clock: Clock,
  stop: AbortSignal,
): AsyncGenerator<RawFleetStatus> {
  const pool = await connectDatabase(url);
  try {
    await answered(() => assertMigrated(pool));
    for (;;) {
      yield await answered(() => readFleetStatus(pool));
      await clock.sleep(paceMs, stop);
    }
  } finally {
    await pool.end();
  }
}

/**
 * Returns the result of a query; throws a FatalError (unreachable) if it fails, for example at the connection
 * or login.
 */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof FatalError) throw cause;
    const detail = cause instanceof Error ? codeOf(cause) : String(cause);
    throw new FatalError('unreachable', `the fleet's database does not answer as it should (${detail}).`, {
      next: `Is it running, and is ${fleetDatabaseVariable} right? Then type the same command again.`,
      cause,
    });
  }
}

/**
 * The error codes of an unavailable database: a refused or lost connection, or a server that starts, stops, or has too
 * many connections.
 */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|08\d{3}|57P0[1-3]|53300)$/;

/** Returns the code or name of an error, but not its message, which may contain the URL with its password. */
function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const insufficientPrivilege = '42501';

function notAllowed(cause: unknown): unknown {
  if (!(cause instanceof Error) || codeOf(cause) !== insufficientPrivilege) return cause;
  return new FatalError('usage', `this user may not prepare the database: ${cause.message}.`, {
    next: `Set ${fleetDatabaseVariable} to the URL of the owner of the database, then type the same command again.`,
    cause,
  });
}
