import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { run } from '../end-to-end/command.ts';
import { blocksOf, pageOf } from '../pages.ts';
import {
  addMessages,
  atOperations,
  counted,
  drained,
  exported,
  type OperationsSite,
} from './operations-site.ts';
import { Machine } from './worker-process.ts';

/** What docs/fleet.md says to type: one block takes the rows along, the next removes them where they were. */
const [, , take = '', remove = ''] = blocksOf(pageOf('docs/fleet.md'), 'bash');
const hasPsql = spawnSync('psql', ['--version']).status === 0;

/** A second fleet on the same server, with the same files and the same key. */
async function otherFleet(site: OperationsSite) {
  await site.administer('CREATE DATABASE other');
  const url = site.postgres.url.replace(/\/fleet$/, '/other');
  const env = { ...site.env, LONGSHORE_FLEET_DATABASE: url };
  const longshore = async (...args: readonly string[]) => {
    const ended = await run(args, env);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
  };
  const machine = new Machine(join(site.folder, 'elsewhere'), [site.fleetFile], env);
  return {
    url,
    machine,
    longshore,
    async done(pipeline: string) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const since = new Date();
      await longshore('fleet', 'run', 'acme', pipeline);
      await vi.waitFor(
        async () => {
          const { rows } = await client.query<{ at: Date | null }>(
            'SELECT last_success_at AS at FROM longshore.assignment WHERE pipeline = $1',
            [pipeline],
          );
          expect(rows[0]?.at?.getTime() ?? 0, machine.said).toBeGreaterThan(since.getTime());
        },
        { timeout: 120_000, interval: 50 },
      );
      await client.end();
    },
  };
}

it.skipIf(!hasPsql)(
  'a workspace is moved to another fleet as docs/fleet.md says, and everything is there once',
  () =>
    atOperations({}, async (site) => {
      const one = site.machine('one');
      site.input(20);
      addMessages(site, 1, 5);
      one.start();
      await site.done('load');
      await site.done('nightly');
      await site.longshore('fleet', 'pause', 'acme');
      expect(await site.longshore('fleet', 'status')).toContain('paused');
      const other = await otherFleet(site);
      try {
        await other.longshore('fleet', 'init');
        const typed = (text: string) =>
          execFileSync('bash', ['-c', text], {
            cwd: site.folder,
            env: { ...process.env, OLD: site.postgres.url, NEW: other.url },
            stdio: 'pipe',
          });
        typed(take);
        await other.longshore('fleet', 'apply', site.fleetFile, '--yes');
        const file = readFileSync(site.fleetFile, 'utf8');
        writeFileSync(join(site.folder, 'old.yaml'), file.replace('"acme"', '"birch"'));
        await site.longshore('fleet', 'apply', join(site.folder, 'old.yaml'), '--yes');
        typed(remove);
        const changes = site.changes();
        other.machine.start();
        await other.done('load');
        expect(site.changes()).toBe(changes);
        site.input(40);
        addMessages(site, 6, 9);
        await other.done('load');
        await other.done('nightly');
        await drained(other.machine);
        expect(other.machine.said).toContain('The journal was restored from the database.');
        site.expectExact();
        expect(site.comments()).toEqual(counted([40, 1]));
        expect(exported(site)).toEqual([
          [1, 2, 3, 4, 5],
          [6, 7, 8, 9],
        ]);
        const left = ['holder', 'base', 'frames', 'delivery', 'sync_state'].map(
          (table) => `(SELECT count(*) FROM longshore.${table})`,
        );
        const { rows } = await site.pool.query(`SELECT ${left.join(' + ')} AS n`);
        expect(rows).toEqual([{ n: '0' }]);
      } finally {
        await other.machine.kill();
      }
    }),
);

it.skipIf(!hasPsql)('what is moved arrives whole or not at all', () =>
  atOperations({}, async (site) => {
    const one = site.machine('one');
    await site.turn(one, 'load');
    const other = await otherFleet(site);
    await other.longshore('fleet', 'init');
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    // The last table of all refuses what it is given.
    await client.query('ALTER TABLE longshore.frames ADD CHECK (seq < 1)');
    const typed = spawnSync('bash', ['-c', take], {
      cwd: site.folder,
      env: { ...process.env, OLD: site.postgres.url, NEW: other.url },
    });
    expect(typed.status).not.toBe(0);
    const { rows } = await client.query('SELECT count(*)::int AS n FROM longshore.holder');
    await client.end();
    expect(rows).toEqual([{ n: 0 }]);
  }),
);
