import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
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
  ])('refuses %s', async (url, reason) => {
    await expect(connectDatabase(url)).rejects.toThrow(reason);
  });
});

describe('the way to the database', () => {
  const away = 'postgres://u:p@db.example.com/fleet';
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ['postgres://u:p@localhost/fleet', {}],
    ['postgres://u:p@127.0.0.1:5432/fleet?sslmode=disable', {}],
    ['postgres://u:p@[::1]/fleet', {}],
    ['postgres:///fleet?host=/run/postgresql&user=u', {}],
    [away, {}],
    [`${away}?sslmode=verify-full`, {}],
    [`${away}?sslmode=verify-ca`, {}],
    [away, { PGSSLMODE: 'disable' }],
    ['postgres://u:p@localhost/fleet', { PGHOST: 'db.example.com' }],
  ])('%s is let through with %j', async (url, env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const pool = await connectDatabase(url);
    await pool.end();
  });

  it.each([
    [`${away}?sslmode=disable`, {}],
    [`${away}?sslmode=allow`, {}],
    [`${away}?sslmode=prefer`, {}],
    [`${away}?sslmode=require`, {}],
    [`${away}?sslmode=no-verify`, {}],
    [`${away}?sslmode=`, {}],
    [`${away}?sslmode=verify-full&sslmode=disable`, {}],
    [`${away}?sslmode=disable&sslmode=verify-full`, {}],
    [`${away}?sslmode=require&uselibpqcompat=true`, {}],
    [`${away}?uselibpqcompat=true&sslmode=prefer`, {}],
    [`${away}?ssl=false&sslmode=require`, {}],
    ['postgres://u:p@localhost/fleet?host=db.example.com&sslmode=disable', {}],
    ['postgres://u:p@localhost/fleet?host=localhost&host=db.example.com&sslmode=disable', {}],
    ['postgres://u:p@127.0.0.1.example.com/fleet?sslmode=disable', {}],
    ['postgres:///fleet?sslmode=disable', { PGHOST: 'db.example.com' }],
    [away, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ])('%s is refused with %j', async (url, env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await expect(connectDatabase(url)).rejects.toThrow('without a check of its certificate');
  });

  it.each([
    ['postgres:///fleet', { PGHOST: 'db.example.com' }],
    ['postgres://u:p@localhost/fleet?host=db.example.com', {}],
  ])('%s is checked as verify-full with %j', async (url, env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const pool = await connectDatabase(url);
    expect(pool.options.connectionString).toContain('sslmode=verify-full');
    await pool.end();
  });
});
