import pg, { type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queuePipelinesNow } from '../../src/fleet/control/control.ts';
import { prepareDatabase } from '../../src/fleet/control/open.ts';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import { inTransaction } from '../../src/fleet/database/migrate.ts';
import { workerPrivileges } from '../../src/fleet/database/roles.ts';
import { forgetPersonInJobResults } from '../../src/fleet/forget/stored-texts.ts';
import { openJobQueue } from '../../src/fleet/queue/queue.ts';
import { recordWorkerShutdown, saveHeartbeat } from '../../src/fleet/queue/worker-record.ts';
import { runSchedulerTick } from '../../src/fleet/schedule/ticker.ts';
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

interface Table {
  readonly schema: string;
  readonly name: string;
  /** Those that can be written. */
  readonly columns: readonly string[];
}

/** Every table of a prepared database, as its catalogue has them: one that a migration adds is among them. */
async function tablesOf(pool: Pool): Promise<readonly Table[]> {
  const { rows } = await pool.query<Table>(
    `SELECT n.nspname::text AS schema, c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^(pg_|information_schema$)'
     AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity <> 'a'
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows;
}

/** A statement for each right there is; PostgreSQL looks at the right before it looks at rows. */
function statementsOn({ schema, name, columns }: Table): readonly { what: string; sql: string }[] {
  const table = `${schema}.${name}`;
  return [
    { what: 'SELECT', sql: `SELECT * FROM ${table} LIMIT 0` },
    { what: 'INSERT', sql: `INSERT INTO ${table} DEFAULT VALUES` },
    ...columns.map((column) => ({
      what: `UPDATE ${column}`,
      sql: `UPDATE ${table} SET "${column}" = NULL WHERE false`,
    })),
    { what: 'DELETE', sql: `DELETE FROM ${table} WHERE false` },
    { what: 'TRUNCATE', sql: `TRUNCATE ${table} CASCADE` },
  ];
}

function changesOf({ schema, name }: Table): readonly string[] {
  const table = `${schema}.${name}`;
  return [
    `ALTER TABLE ${table} ADD COLUMN mine int`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `CREATE INDEX mine ON ${table} ((1))`,
    `CREATE RULE mine AS ON DELETE TO ${table} DO INSTEAD NOTHING`,
    `COMMENT ON TABLE ${table} IS 'mine'`,
    `DROP TABLE ${table} CASCADE`,
  ];
}

/** `SELECT, UPDATE (job, worker)` as `SELECT`, `UPDATE job` and `UPDATE worker`. */
function grantedOn(rights: string): ReadonlySet<string> {
  const all = [...rights.matchAll(/([A-Z]+)(?: \(([^)]*)\))?/g)];
  return new Set(
    all.flatMap(([, what = '', columns]) =>
      columns === undefined ? [what] : columns.split(', ').map((column) => `${what} ${column}`),
    ),
  );
}

/** Whether a user may do it; it is taken back. */
async function may(pool: Pool, sql: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== '42501';
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('the role of the workers', () => {
  it('can do all that a worker does', async () => {
    const fleet = fleetOf({ 'acme p': { schedule: everyNight }, 'beta p': {}, 'gamma p': {}, 'delta p': {} });
    await applied(site, fleet, '2026-01-01T12:00:00Z');
    const queue = await openJobQueue(worker);
    await saveHeartbeat(worker, { name: 'w', host: 'h', jobs: [] });
    expect(await runSchedulerTick(worker, queue)).toEqual({ due: 1, sent: 1 });
    const names = ['beta', 'gamma', 'delta'].map((workspace) => ({ workspace, pipeline: 'p' }));
    await queuePipelinesNow(worker, queue, names);
    const end = { run: 'r', exitCode: 0, message: null, next: null };
    for (const settle of ['finish', 'later', 'again', 'never'] as const) {
      const job = await queue.take('w', { mostInAll: 10 });
      if (job === undefined) throw new Error('there was no job to take');
      if (settle === 'finish') expect(await queue.finish(job, 'w', end)).toBe(true);
      else if (settle === 'later') expect(await queue.continueLater(job, 'w', 'r')).toBe(true);
      else expect(await queue.fail(job, 'w', end, { again: settle === 'again' })).toBe(true);
    }
    await queue.take('w');
    await recordWorkerShutdown(worker, 'w');
    expect(await queue.failLost(1_000)).toHaveLength(1);
    await queue.maintain();
    // Somebody may type `fleet forget` on the machine of a worker.
    const without = (text: string) => (text === 'r' ? 'forgotten' : null);
    await site.pool.query('INSERT INTO longshore_queue.archive SELECT * FROM longshore_queue.job');
    for (const { workspace } of fleet.assignments)
      await inTransaction(worker, (client) => forgetPersonInJobResults(client, workspace, without));
    const said = async (run: string, table: string) => {
      const sql = `SELECT count(*)::int AS n FROM longshore_queue.${table} WHERE output->>'run' = $1`;
      return (await site.pool.query<{ n: number }>(sql, [run])).rows[0]?.n ?? 0;
    };
    expect(await said('forgotten', 'job')).toBeGreaterThan(0);
    expect([await said('r', 'job'), await said('r', 'archive')]).toEqual([0, 0]);
  });

  it('may do on every table and column what is written down, and nothing else', async () => {
    const tables = await tablesOf(site.pool);
    const names = tables.map(({ schema, name }) => `${schema}.${name}`);
    const written = Object.entries(workerPrivileges).flatMap(([schema, rights]) =>
      Object.keys(rights).map((name) => `${schema}.${name}`),
    );
    expect(names).toEqual(expect.arrayContaining([...written, 'elsewhere.people']));
    const wrong: string[] = [];
    for (const table of tables)
      for (const { what, sql } of statementsOn(table)) {
        const granted = grantedOn(workerPrivileges[table.schema]?.[table.name] ?? '');
        const expected = granted.has(what) || granted.has(what.replace(/ .*/, ''));
        if ((await may(worker, sql)) !== expected) wrong.push(`${sql}: ${expected ? 'refused' : 'done'}`);
      }
    expect(wrong).toEqual([]);
  });

  it('changes no table that there is, and takes no number of a sequence', async () => {
    const tables = await tablesOf(site.pool);
    const { rows: sequences } = await site.pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE schemaname LIKE 'longshore%'`,
    );
    const tried = [
      ...tables.flatMap(changesOf),
      ...sequences.map(({ name }) => `SELECT setval('${name}', 1)`),
    ];
    const done: string[] = [];
    for (const sql of tried) if (await may(worker, sql)) done.push(sql);
    expect(done).toEqual([]);
  });

  it('is the only one besides the owner: a role without grants has nothing of the fleet', async () => {
    await site.pool.query("CREATE ROLE stranger LOGIN PASSWORD 'a-stranger-of-this-test'");
    const url = new URL(site.url);
    url.username = 'stranger';
    url.password = 'a-stranger-of-this-test';
    const stranger = await connectDatabase(url.href, 1);
    try {
      const done: string[] = [];
      for (const table of await tablesOf(site.pool))
        for (const sql of [...statementsOn(table).map((each) => each.sql), ...changesOf(table)])
          if (await may(stranger, sql)) done.push(sql);
      expect(done).toEqual([]);
    } finally {
      await stranger.end();
    }
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
