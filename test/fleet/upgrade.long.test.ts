import { expect, it } from 'vitest';
import { readFleetKey } from '../../src/fleet/crypt/key.ts';
import { migrations } from '../../src/fleet/database/migrations.ts';
import { seen } from '../cli/site.ts';
import { run } from '../end-to-end/command.ts';
import { sealedAsBefore } from './older-chunks.ts';
import { atOperations, counted, drained } from './operations-site.ts';

/** The database as version 2 of it had it: what the later migrations did is undone. */
const asVersion2 = `
  DROP TABLE longshore.attempt, longshore.list;
  ALTER TABLE longshore.assignment DROP COLUMN asked, DROP COLUMN called_at;
  ALTER TABLE longshore.holder DROP COLUMN reached;
  ALTER TABLE longshore.worker DROP COLUMN not_ready, DROP COLUMN refused, DROP COLUMN left_at;
  ALTER TABLE longshore.assignment DROP COLUMN deaths, DROP COLUMN failing_since, DROP COLUMN reported;
  UPDATE longshore.assignment SET settings = settings - 'contents';
  ALTER TABLE longshore.fleet DROP COLUMN places, DROP COLUMN key_id;
  ALTER TABLE longshore.holder DROP COLUMN forgotten;
  DROP TABLE longshore.delivery;
  ALTER TABLE longshore.sync_state DROP CONSTRAINT sync_state_pkey;
  ALTER TABLE longshore.sync_state DROP COLUMN run;
  ALTER TABLE longshore.sync_state ADD PRIMARY KEY (workspace, pipeline, part);
  UPDATE longshore.version SET number = 2;`;

it('a database of an older version: workers refuse until fleet init, and then continue what was at work', () =>
  // So slow that it is drained in the middle, also where `fleet drain` takes long to be heard.
  atOperations({ rows: 100, concurrency: 1, faults: { latency: { min: 60, max: 60 } } }, async (site) => {
    const [one, two] = [site.machine('one'), site.machine('two')];
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await seen(site.sandbox, 40, ({ applied }) => applied);
    await site.longshore('fleet', 'drain');
    expect(await one.ended).toBe(0);
    expect(one.said).toContain('acme/load: continues later');
    const changes = site.changes();
    await sealedAsBefore(site.pool, 'acme', readFleetKey(site.env));
    await site.pool.query(asVersion2);
    two.start();
    expect(await two.ended).toBe(2);
    expect(two.said).toContain(
      `the database has version 2; this Longshore needs version ${migrations.length}.`,
    );
    expect(two.said).toContain('longshore fleet init');
    expect(site.changes()).toBe(changes);
    await site.longshore('fleet', 'init');
    two.start();
    await site.succeeded('load');
    await site.done('nightly');
    await drained(two);
    site.expectExact();
    expect(site.comments()).toEqual(counted([100, 1]));
  }));

it('a database of a newer version: workers and fleet init refuse, and change nothing', () =>
  atOperations({}, async (site) => {
    await site.pool.query('UPDATE longshore.version SET number = 99');
    const one = site.machine('one');
    one.start();
    expect(await one.ended).toBe(2);
    const newer = 'the database has version 99, prepared by a newer Longshore';
    expect(one.said).toContain(newer);
    expect(one.said).toContain('Use the newer Longshore on every machine.');
    const init = await run(['fleet', 'init'], site.env);
    expect(init).toMatchObject({ code: 2, stderr: expect.stringContaining(newer) });
    const { rows } = await site.pool.query('SELECT number FROM longshore.version');
    expect(rows).toEqual([{ number: 99 }]);
    expect(site.sandbox.log).toEqual([]);
  }));
