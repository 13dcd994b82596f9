import type { Pool, PoolConfig } from 'pg';
import * as z from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import { tryParseUrl } from '../../model/parse-url.ts';
import { fleetDatabaseVariable } from '../variables.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Opens a pool of at most `most` connections to the fleet's database. Throws a FatalError (usage) if the URL is missing
 * or invalid, would connect to another machine without verified TLS, or if the package pg is not installed.
 */
export async function connectDatabase(url: string | undefined, most = 4): Promise<Pool> {
  const { default: pg } = await load();
  const config = poolConfig(pg, url);
  const pool = new pg.Pool({ ...config, max: most });
  // A restarting database drops idle connections; the next query opens another one.
  pool.on('error', () => undefined);
  // A connection that fails between two queries is reported by the next query.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function poolConfig(pg: Driver, url: string | undefined): PoolConfig {
  if (url === undefined || url.trim() === '') {
    throw new FatalError(
      'usage',
      `the fleet needs a PostgreSQL database, and ${fleetDatabaseVariable} is not set.`,
      {
        next: `export ${fleetDatabaseVariable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`,
      },
    );
  }
  const parsed = tryParseUrl(url);
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new FatalError('usage', `${fleetDatabaseVariable} is not the URL of a PostgreSQL database.`, {
      next: `export ${fleetDatabaseVariable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`,
    });
  }
  const modes = parsed.searchParams.getAll('sslmode');
  const [mode] = modes;
  if (modes.length === 0 && !isHere(pg, url)) parsed.searchParams.set('sslmode', 'verify-full');
  const connectionString = modes.length === 0 ? parsed.href : url;
  if (!isHere(pg, connectionString))
    assertVerified(pg, connectionString, modes.length > 1 ? 'several' : mode);
  return { connectionString };
}

/** True if the URL and PGHOST would make the driver connect to this machine. */
function isHere(pg: Driver, connectionString: string): boolean {
  const { host } = new pg.Client({ connectionString });
  return host.startsWith('/') || loopback.has(host);
}

const verifies: ReadonlySet<string | undefined> = new Set([undefined, 'verify-full', 'verify-ca']);

const tlsOfDriver = z.union([
  z.literal(true),
  z.looseObject({ rejectUnauthorized: z.literal(true).optional() }),
]);

/** Throws a FatalError (usage) if the driver would connect to another machine without verifying its certificate. */
function assertVerified(pg: Driver, connectionString: string, mode: string | undefined): void {
  const client = new pg.Client({ connectionString });
  const checks =
    process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' && tlsOfDriver.safeParse(client.ssl).success;
  if (checks && verifies.has(mode)) return;
  throw new FatalError(
    'usage',
    `${fleetDatabaseVariable} allows a connection to ${client.host} without TLS, or without a check of its certificate.`,
    {
      next: `End the URL in ?sslmode=verify-full, once, without other options of TLS: what the fleet keeps there names people. With a CA of your own: ?sslmode=verify-full&sslrootcert=/path/ca.pem`,
    },
  );
}

type Driver = Pick<typeof import('pg'), 'Client'>;

async function load(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new FatalError('usage', 'the fleet needs the packages pg and pg-boss, which are not installed.', {
      next: 'npm install --include=optional',
      cause,
    });
  }
}
