import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { blocksOf, pageOf } from '../pages.ts';
import { installed, startInstalled } from './installed-postgres.ts';
import { addMessages, atOperations, counted, drained, exported } from './operations-site.ts';

it('an older database is restored: a machine that knows more than it continues, and nothing is sent twice', () =>
  atOperations({}, async (site) => {
    const one = site.machine('one');
    site.input(20);
    await site.turn(one, 'load');
    await site.backup();
    site.input(40);
    await site.turn(one, 'load');
    const changes = site.changes();
    await site.restore();
    await site.turn(one, 'load');
    site.expectExact();
    expect(site.changes()).toBe(changes);
    expect(site.comments()).toEqual(counted([40, 1]));
  }));

it('an older database is restored: a machine that had taken over since continues with its own journal, and saves it', () =>
  atOperations({}, async (site) => {
    const [one, two, three] = [site.machine('one'), site.machine('two'), site.machine('three')];
    site.input(20);
    addMessages(site, 1, 5);
    await site.turn(one, 'load', 'nightly');
    await site.backup();
    site.input(40);
    addMessages(site, 6, 9);
    await site.turn(two, 'load', 'nightly');
    const changes = site.changes();
    await site.restore();
    await site.turn(two, 'load', 'nightly');
    expect(two.said).toContain('The journal of this machine is newer than that of the database');
    // What it has saved is what a new machine gets, and the one with the older journal.
    for (const machine of [three, one]) {
      await site.turn(machine, 'load', 'nightly');
      expect(machine.said).toContain('The journal was restored from the database.');
    }
    site.expectExact();
    expect(site.changes()).toBe(changes);
    expect(site.comments()).toEqual(counted([40, 1]));
    expect(exported(site)).toEqual([[1, 2, 3, 4, 5], [6, 7, 8, 9], [], [], []]);
  }));

it.each([
  ['send', counted([20, 1], [20, 2])],
  // Every fourth was there before the first import.
  [
    'skip',
    counted(
      ...Array.from(
        { length: 10 },
        () =>
          [
            [3, 1],
            [1, 0],
          ] as const,
      ).flat(),
    ),
  ],
] as const)(
  'an older database is restored, and no machine knows more: nobody is there twice (comments: existing: %s)',
  (comments, found) =>
    atOperations({ comments }, async (site) => {
      const one = site.machine('one');
      site.input(20);
      addMessages(site, 1, 5);
      await site.turn(one, 'load', 'nightly');
      await site.backup();
      site.input(40);
      addMessages(site, 6, 9);
      await site.turn(one, 'load', 'nightly');
      await site.restore();
      one.loseDisk();
      await site.turn(one, 'load', 'nightly');
      site.expectExact();
      // As docs/fleet.md says: comments cannot be read back, and nothing is left that remembers these.
      expect(site.comments()).toEqual(found);
      expect(exported(site)).toEqual([
        [1, 2, 3, 4, 5],
        [6, 7, 8, 9],
        [6, 7, 8, 9],
      ]);
    }),
);

it.skipIf(installed === undefined)(
  'a database is dumped while a worker works, and restored, as docs/fleet.md says',
  () =>
    atOperations({ server: startInstalled }, async (site) => {
      const [dump = '', restore = ''] = blocksOf(pageOf('docs/fleet.md'), 'bash');
      const typed = (text: string) =>
        execFileSync('bash', ['-c', text], {
          cwd: site.folder,
          env: { ...process.env, ...site.env, PATH: `${installed}:${process.env.PATH}` },
          stdio: 'pipe',
        });
      const [one, two] = [site.machine('one'), site.machine('two')];
      site.input(20);
      one.start();
      await site.done('load');
      typed(dump);
      site.input(30);
      await site.done('load');
      await drained(one);
      typed(restore);
      // Nothing is missing, and whoever works may do what a worker does.
      await site.longshore('fleet', 'init');
      await site.turn(one, 'load');
      site.input(40);
      await site.turn(two, 'load', 'nightly');
      site.expectExact();
      expect(site.comments()).toEqual(counted([40, 1]));
    }),
);
