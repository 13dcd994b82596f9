import pg, { type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNow } from '../../src/fleet/control/control.ts';
import { prepareDatabase } from '../../src/fleet/control/open.ts';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import { inTransaction } from '../../src/fleet/database/migrate.ts';
import { forgetInMessages } from '../../src/fleet/forget/stored-texts.ts';
import { openQueue } from '../../src/fleet/queue/queue.ts';
import { beat, leave } from '../../src/fleet/queue/worker-record.ts';
import { tick } from '../../src/fleet/schedule/ticker.ts';
import { applied, everyNight, fleetOf, fleetSite, workerPassword } from './site.ts';

const site = fleetSite();
let worker: Pool;
beforeAll(async () => {
  const url = new URL(site.url);
  url.username = 'longshore_worker';
  url.password = workerPassword;
  worker = await connectDatabase(url.href, 3);
  await site.pool.query('CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.people (name text)');
});
afterAll(() => worker.end());

describe('the role of the workers', () => {
  it('can do all that a worker does', async () => {
    const fleet = fleetOf({ 'acme p': { schedule: everyNight }, 'beta p': {}, 'gamma p': {}, 'delta p': {} });
    await applied(site, fleet, '2026-01-01T12:00:00Z');
    const queue = await openQueue(worker);
    await beat(worker, { name: 'w', host: 'h', jobs: [] });
    expect(await tick(worker, queue)).toEqual({ due: 1, sent: 1 });
    const names = ['beta', 'gamma', 'delta'].map((workspace) => ({ workspace, pipeline: 'p' }));
    await runNow(worker, queue, names);
    const end = { run: 'r', exitCode: 0, message: null, next: null };
    for (const settle of ['finish', 'later', 'again', 'never'] as const) {
      const job = await queue.take('w', { mostInAll: 10 });
      if (job === undefined) throw new Error('there was no job to take');
      if (settle === 'finish') expect(await queue.finish(job, 'w', end)).toBe(true);
      else if (settle === 'later') expect(await queue.continueLater(job, 'w', 'r')).toBe(true);
      else expect(await queue.fail(job, 'w', end, { again: settle === 'again' })).toBe(true);
    }
    await queue.take('w');
    await leave(worker, 'w');
    expect(await queue.failLost(1_000)).toHaveLength(1);
    await queue.maintain();
    // Somebody may type `fleet forget` on the machine of a worker.
    const without = (text: string) => (text === 'r' ? 'forgotten' : null);
    await site.pool.query('INSERT INTO longshore_queue.archive SELECT * FROM longshore_queue.job');
    for (const { workspace } of fleet.assignments)
      await inTransaction(worker, (client) => forgetInMessages(client, workspace, without));
    const said = async (run: string, table: string) => {
      const sql = `SELECT count(*)::int AS n FROM longshore_queue.${table} WHERE output->>'run' = $1`;
      return (await site.pool.query<{ n: number }>(sql, [run])).rows[0]?.n ?? 0;
    };
    expect(await said('forgotten', 'job')).toBeGreaterThan(0);
    expect([await said('r', 'job'), await said('r', 'archive')]).toEqual([0, 0]);
  });

  it.each([
    ['makes a table', 'CREATE TABLE longshore.mine (a int)'],
    ['makes a table of the queue', 'CREATE TABLE longshore_queue.mine (a int)'],
    ['makes a table for everybody', 'CREATE TABLE public.mine (a int)'],
    ['makes a schema', 'CREATE SCHEMA mine'],
    ['makes a role', 'CREATE ROLE mine'],
    ['makes a queue', `SELECT longshore_queue.create_queue('mine', '{"policy":"standard"}'::json)`],
    ['adds a queue', "INSERT INTO longshore_queue.queue (name) VALUES ('mine')"],
    ['removes a table', 'DROP TABLE longshore.workspace'],
    ['changes a table', 'ALTER TABLE longshore.workspace ADD COLUMN mine int'],
    ['adds a workspace', "INSERT INTO longshore.workspace VALUES ('x', 'https://x', '{}')"],
    ['turns a workspace to another address', "UPDATE longshore.workspace SET base_url = 'https://x'"],
    ['removes a workspace', 'DELETE FROM longshore.workspace'],
    ['ends a pause', 'UPDATE longshore.workspace SET paused_at = NULL'],
    ['changes a schedule', "UPDATE longshore.assignment SET schedule = '{}'"],
    ['changes the limits', "UPDATE longshore.fleet SET limits = '{}'"],
    ['reads other schemas', 'SELECT * FROM elsewhere.people'],
    ['reads passwords', 'SELECT * FROM pg_authid'],
  ])('is refused when it %s', async (_what, sql) => {
    await expect(worker.query(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('stays as it is when the database is prepared again, and takes a new password', async () => {
    expect((await prepareDatabase(site.url, undefined)).role).toEqual({ created: false, passwordSet: false });
    await expect(worker.query('SELECT 1 FROM longshore.workspace')).resolves.toBeDefined();
    await prepareDatabase(site.url, 'another-password-of-this-test');
    const url = new URL(site.url);
    url.username = 'longshore_worker';
    url.password = workerPassword;
    const before = new pg.Client({ connectionString: url.href });
    await expect(before.connect()).rejects.toThrow('password');
    url.password = 'another-password-of-this-test';
    const after = new pg.Client({ connectionString: url.href });
    await after.connect();
    await after.end();
  });

  it('may not prepare a database', async () => {
    const url = new URL(site.url);
    url.username = 'longshore_worker';
    url.password = 'another-password-of-this-test';
    await site.pool.query('ALTER SCHEMA longshore RENAME TO other');
    await expect(prepareDatabase(url.href, undefined)).rejects.toThrow(
      'this user may not prepare the database',
    );
    await site.pool.query('ALTER SCHEMA other RENAME TO longshore');
  });

  it('gets no password that is easily guessed', async () => {
    await expect(prepareDatabase(site.url, 'short')).rejects.toThrow('no password to use');
  });
});
