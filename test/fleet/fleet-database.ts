import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { readFleetKey } from '../../src/fleet/crypt/key.ts';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import { migrateDatabase } from '../../src/fleet/database/migrate.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** A database of a test's own, prepared for a fleet. */
export interface FleetDatabase {
  readonly postgres: Postgres;
  readonly pool: Pool;
  remove(): Promise<void>;
}

export async function fleetDatabase(): Promise<FleetDatabase> {
  const postgres = await startPostgres();
  const pool = await connectDatabase(postgres.url, 8);
  await migrateDatabase(pool);
  return {
    postgres,
    pool,
    async remove() {
      await pool.end();
      await postgres.remove();
    },
  };
}

/** A key as an administrator makes one. */
export function newKeyText(): string {
  return randomBytes(32).toString('base64');
}

export function newKey() {
  return readFleetKey({ LONGSHORE_FLEET_KEY: newKeyText() });
}
