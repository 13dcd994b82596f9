import type { Pool, PoolConfig } from 'pg';
import { FatalError } from '../../model/fatal-error.ts';

/** The variable that says where the fleet's database is. */
export const databaseVariable = 'LONGSHORE_FLEET_DATABASE';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Opens a pool of connections to the fleet's database. Throws a FatalError: 'usage' where the URL is missing, none of
 * PostgreSQL's, or would send people's data to another machine without TLS, and where the library is not installed.
 */
export async function connectDatabase(url: string | undefined, most = 4): Promise<Pool> {
  const config = poolConfig(url);
  const { default: pg } = await load();
  const pool = new pg.Pool({ ...config, max: most });
  // A database that restarts drops idle connections, and the next query opens another one: nothing to do, but to hear it.
  pool.on('error', () => undefined);
  // One that is in use between two queries is nobody's to hear but its own: the next query of its user fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function poolConfig(url: string | undefined): PoolConfig {
  if (url === undefined || url.trim() === '') {
    throw new FatalError(
      'usage',
      `the fleet needs a PostgreSQL database, and ${databaseVariable} is not set.`,
      {
        next: `export ${databaseVariable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`,
      },
    );
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new FatalError('usage', `${databaseVariable} is not the URL of a PostgreSQL database.`, {
      next: `export ${databaseVariable}=postgres://USER:PASSWORD@HOST:5432/DATABASE`,
    });
  }
  const local = loopback.has(parsed.hostname) || parsed.hostname === '' || parsed.searchParams.has('host');
  const mode = parsed.searchParams.get('sslmode');
  if (local) return { connectionString: url };
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') {
    throw new FatalError(
      'usage',
      `${databaseVariable} allows a connection without TLS to ${parsed.hostname}.`,
      {
        next: 'Use sslmode=verify-full: what the fleet keeps there names people.',
      },
    );
  }
  if (mode === null) parsed.searchParams.set('sslmode', 'verify-full');
  return { connectionString: parsed.href };
}

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
