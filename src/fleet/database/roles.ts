import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { FatalError } from '../../model/fatal-error.ts';
import { queueSchemaName } from '../queue/names.ts';
import { workerPasswordVariable } from '../variables.ts';
import { databaseSchemaName } from './migrate.ts';

/** The PostgreSQL role that workers log in as. */
export const workerRoleName = 'longshore_worker';

/** The privileges of a worker on the fleet's own tables. */
const rights: Readonly<Record<string, string>> = {
  version: 'SELECT',
  fleet: 'SELECT',
  workspace: 'SELECT, UPDATE (job, worker, taken_at)',
  assignment:
    'SELECT, UPDATE (next_at, due_at, called_at, wanted_at, urgent, resume_run, asked, last_started_at, last_success_at, last_ended_at, last_run, failures, failing_since, reported, deaths)',
  worker: 'SELECT, INSERT, UPDATE, DELETE',
  holder: 'SELECT, INSERT, UPDATE',
  base: 'SELECT, INSERT, UPDATE, DELETE',
  frames: 'SELECT, INSERT, UPDATE, DELETE',
  sync_state: 'SELECT, INSERT, UPDATE, DELETE',
  delivery: 'SELECT, INSERT, UPDATE, DELETE',
  attempt: 'SELECT, INSERT, UPDATE (ending), DELETE',
  list: 'SELECT, INSERT, DELETE',
};

/** The privileges of a worker on the tables of the queue; it cannot create queues. */
const queueRights: Readonly<Record<string, string>> = {
  version: 'SELECT',
  queue: 'SELECT',
  job: 'SELECT, INSERT, UPDATE, DELETE',
  archive: 'SELECT, INSERT, DELETE',
};

/** The privileges of the workers' role, by schema and table. */
export const workerPrivileges: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [databaseSchemaName]: rights,
  [queueSchemaName]: queueRights,
};

/** The advisory lock under which the role is created. */
const advisoryLock = 4_201_979;

/** The result of preparing the workers' role. */
export interface WorkerRolePreparationResult {
  readonly created: boolean;
  readonly passwordSet: boolean;
}

/**
 * Creates the workers' role if it is missing, sets its password if one is given, and grants it exactly
 * `workerPrivileges`. Throws a FatalError (usage) if the password is unusable, or the database user cannot
 * create or change the role.
 */
export async function prepareWorkerRole(
  client: PoolClient,
  password: string | undefined,
): Promise<WorkerRolePreparationResult> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
  const { rows } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [workerRoleName]);
  const created = rows.length === 0;
  try {
    if (created) {
      await client.query(
        `CREATE ROLE ${workerRoleName} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS`,
      );
    }
    if (password !== undefined) {
      await client.query(`ALTER ROLE ${workerRoleName} PASSWORD '${verifierOf(password)}'`);
    }
  } catch (cause) {
    throw notAllowed(cause);
  }
  for (const [name, tables] of Object.entries(workerPrivileges)) await grant(client, name, tables);
  return { created, passwordSet: password !== undefined };
}

async function grant(
  client: PoolClient,
  name: string,
  tables: Readonly<Record<string, string>>,
): Promise<void> {
  await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA ${name} FROM ${workerRoleName}`);
  await client.query(`GRANT USAGE ON SCHEMA ${name} TO ${workerRoleName}`);
  for (const [table, allowed] of Object.entries(tables)) {
    const { rows } = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [`${name}.${table}`]);
    if (rows.length === 0) continue;
    await client.query(`GRANT ${allowed} ON ${name}.${table} TO ${workerRoleName}`);
  }
}

const keyLength = 32;
const iterations = 4096;
const printable = /^[\x21-\x7e]{12,128}$/;

/**
 * Returns the SCRAM-SHA-256 verifier of a password (RFC 5803), so that the password is in no log of the server; throws
 * a FatalError (usage) for an unusable one.
 */
function verifierOf(password: string): string {
  if (!printable.test(password)) {
    throw new FatalError('usage', `${workerPasswordVariable} is no password to use.`, {
      next: 'Take 12 to 128 letters, digits and signs, without spaces.',
    });
  }
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, keyLength, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

const insufficientPrivilege = '42501';

function notAllowed(cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code !== insufficientPrivilege) return cause;
  return new FatalError(
    'usage',
    `this user of the database may not create or change the role ${workerRoleName}.`,
    {
      next: `Let an administrator type in psql: CREATE ROLE ${workerRoleName} LOGIN;\nThen type the same command again.`,
      cause,
    },
  );
}
