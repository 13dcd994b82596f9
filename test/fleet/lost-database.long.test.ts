import { expect, it } from 'vitest';
import { seen } from '../cli/site.ts';
import { addMessages, atOperations, counted, drained, exported } from './operations-site.ts';

it('the database is gone for good: the machine with the newest journal continues with it, and the others get it from there', () =>
  atOperations({}, async (site) => {
    const [one, two, three] = [site.machine('one'), site.machine('two'), site.machine('three')];
    site.input(20);
    addMessages(site, 1, 5);
    await site.turn(one, 'load', 'nightly');
    site.input(30);
    addMessages(site, 6, 9);
    await site.turn(two, 'load', 'nightly');
    await site.startOver();
    const changes = site.changes();
    await site.turn(two, 'load', 'nightly');
    expect(site.changes()).toBe(changes);
    site.input(40);
    addMessages(site, 10, 12);
    for (const machine of [one, three]) {
      await site.turn(machine, 'load', 'nightly');
      expect(machine.said).toContain('The journal was restored from the database.');
    }
    site.expectExact();
    expect(site.comments()).toEqual(counted([40, 1]));
    expect(exported(site)).toEqual([[1, 2, 3, 4, 5], [6, 7, 8, 9], [], [10, 11, 12], []]);
  }));

it('the database is gone in the middle of an import: its machine ends that run, and every effect is there once', () =>
  atOperations({ concurrency: 2, faults: { latency: { min: 20, max: 40 } } }, async (site) => {
    const one = site.machine('one');
    one.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await seen(site.sandbox, 40, ({ applied }) => applied);
    await one.kill();
    await site.startOver();
    await site.turn(one, 'load');
    site.expectExact();
    // One that was in flight when the machine died is listed, not sent again.
    expect(Math.max(...site.comments())).toBe(1);
  }));

it('the database is gone, and a machine with an older journal was first: the one with the newest refuses, and sends nothing', () =>
  atOperations({}, async (site) => {
    const [one, two] = [site.machine('one'), site.machine('two')];
    site.input(20);
    await site.turn(one, 'load');
    site.input(30);
    await site.turn(two, 'load');
    await site.startOver();
    site.input(40);
    await site.turn(one, 'load');
    const changes = site.changes();
    two.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await two.printed(/acme\/load: (failed: the journal of acme on the machine )/);
    expect(site.changes()).toBe(changes);
    await drained(two);
    site.expectExact();
    // What docs/fleet.md warns of: the machine that was first does not know which comments the other one has sent.
    expect(site.comments()).toEqual(counted([20, 1], [10, 2], [10, 1]));
  }));

it('the database is away for longer than a lease: the job is no failure, not even where nothing may be tried again', () =>
  atOperations(
    {
      ...{ rows: 60, concurrency: 1, faults: { latency: { min: 40, max: 60 } } },
      limits: { retries: 0, lease: '8s' },
    },
    async (site) => {
      const one = site.machine('one');
      one.start();
      await site.longshore('fleet', 'run', 'acme', 'load');
      await seen(site.sandbox, 20, ({ applied }) => applied);
      await site.postgres.restart(async () => {
        await one.printed(/acme\/load: (its end cannot be saved yet)/);
      });
      await site.succeeded('load');
      expect(one.said).not.toContain('acme/load: failed');
      await drained(one);
      site.expectExact();
      // One that was about to leave when the lease ended is listed, not sent again.
      expect(Math.max(...site.comments())).toBe(1);
    },
  ));
