import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import { assertMigrated, inTransaction, migrateDatabase } from '../../src/fleet/database/migrate.ts';
import { type Postgres, startPostgres } from './postgres.ts';

let postgres: Postgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = await connectDatabase(postgres.url);
});
afterAll(async () => {
  await pool.end();
  await postgres.remove();
});

describe('the database of a fleet', () => {
  it('is prepared once, also by several at once', async () => {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(pool)));
    await expect(assertMigrated(pool)).resolves.toBeUndefined();
    const { from, to } = await migrateDatabase(pool);
    expect(from).toBe(to);
  });

  it('survives its own restart', async () => {
    await postgres.restart();
    const { rows } = await pool.query<{ one: number }>('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('may restart while a connection waits in a transaction: that fails, and the process lives', async () => {
    const interrupted = inTransaction(pool, async (client) => {
      await postgres.restart();
      await client.query('SELECT 1');
    });
    await expect(interrupted).rejects.toThrow();
    const { rows } = await pool.query<{ one: number }>('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  it.each([
    [undefined, 'is not set'],
    ['mysql://x', 'is not the URL'],
    ['postgres://u:p@db.example.com/fleet?sslmode=disable', 'without TLS'],
  ])('refuses %s', async (url, reason) => {
    await expect(connectDatabase(url)).rejects.toThrow(reason);
  });
});
