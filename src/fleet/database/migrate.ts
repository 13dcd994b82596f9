import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { migrations } from './migrations.ts';
import { selectRows } from './rows.ts';

/** The PostgreSQL schema of the fleet's own tables; the queue has another one. */
export const databaseSchemaName = 'longshore';

/** The advisory lock under which a database is migrated. */
const advisoryLock = 4_201_977;

/**
 * Migrates the fleet's tables to this version in one transaction; returns the versions before and after.
 * Throws a FatalError (usage) if a newer version has prepared the database.
 */
export async function migrateDatabase(pool: Pool): Promise<{ readonly from: number; readonly to: number }> {
  return await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${databaseSchemaName}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${databaseSchemaName}.version (number integer NOT NULL)`);
    const from = await versionOf(client);
    if (from > migrations.length) throw newer(from);
    for (const sql of migrations.slice(from)) await client.query(sql);
    await client.query(`DELETE FROM ${databaseSchemaName}.version`);
    await client.query(`INSERT INTO ${databaseSchemaName}.version VALUES ($1)`, [migrations.length]);
    return { from, to: migrations.length };
  });
}

/** Throws a FatalError (usage) if the database is not prepared, or was prepared by another version. */
export async function assertMigrated(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `SELECT 1 WHERE to_regclass('${databaseSchemaName}.version') IS NOT NULL`,
  );
  const version = rows.length === 0 ? 0 : await versionOf(pool);
  if (version > migrations.length) throw newer(version);
  if (version < migrations.length) {
    const found = version === 0 ? 'is not prepared for a fleet' : `has version ${version}`;
    throw new FatalError(
      'usage',
      `the database ${found}; this Longshore needs version ${migrations.length}.`,
      {
        next: toCommand('fleet', 'init'),
      },
    );
  }
}

/** Runs `work` in a new read-only transaction, in which all queries see the same state of the database. */
export async function inSnapshotTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return await inTransaction(pool, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
}

/** Runs `work` in a new transaction, which is rolled back if it throws. */
export async function inTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error));
    // A lost connection has ended the transaction already.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release(failed);
  }
}

async function versionOf(client: Pick<PoolClient, 'query'>): Promise<number> {
  const [found] = await selectRows(
    client,
    z.object({ number: z.int() }),
    `SELECT number FROM ${databaseSchemaName}.version`,
  );
  return found?.number ?? 0;
}

function newer(version: number): FatalError {
  return new FatalError(
    'usage',
    `the database has version ${version}, prepared by a newer Longshore; this one knows versions up to ${migrations.length}.`,
    { next: 'Use the newer Longshore on every machine.' },
  );
}
