import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readFleetKey } from '../../src/fleet/crypt/key.ts';
import { removeOutdatedWorkDir } from '../../src/fleet/forget/older-copies.ts';
import { fleetMarkerStore } from '../../src/journal/index.ts';
import { run, start } from '../end-to-end/command.ts';
import { placesOf } from '../end-to-end/forgotten-person.ts';
import { storedPlacesOf } from './decrypted.ts';
import { atFleet, type FleetSite } from './fleet-site.ts';
import { folder } from './shipped-journal.ts';

const person = 'person1@example.com';
const words = [person, 'First1', 'Last1', '12015550001'];

const stored = ({ pool, env }: FleetSite, searched = words) =>
  storedPlacesOf(pool, 'acme', readFleetKey(env), searched);

/** Runs `fleet forget` to its end, however that is. */
const forget = ({ env }: FleetSite, ...more: readonly string[]) => run(['fleet', 'forget', ...more], env);

const workDirOf = (machine: { readonly workDir: string }) => join(machine.workDir, 'fleet', 'acme');

const message = (messageId: number) => ({
  ...{ messageId, contactId: 1, channelId: 1, traffic: 'incoming' as const },
  ...{ message: { type: 'text', text: `message ${messageId}` }, status: [] },
});

/** Imports everybody and exports them, on a machine of its own; what it has of them stays there. */
async function imported(site: FleetSite, name: string) {
  const machine = site.machine(name);
  machine.start();
  for (const pipeline of ['load', 'nightly'] as const) {
    await site.longshore('fleet', 'run', 'acme', pipeline);
    await site.succeeded(pipeline);
  }
  expect(await machine.drain()).toBe(0);
  return machine;
}

it('a person is nowhere in the database and on no machine afterwards, and the next jobs repeat nothing', () =>
  atFleet({ rows: 8 }, async (site) => {
    site.sandbox.add({ messages: [1, 2, 3].map(message) });
    const one = await imported(site, 'one');
    const two = await imported(site, 'two');
    await site.pool.query(
      `UPDATE longshore.assignment SET last_run = jsonb_set(last_run, '{message}', to_jsonb($1::text))`,
      [`nobody knows ${person}`],
    );
    expect(await stored(site)).toEqual(
      expect.arrayContaining([
        `journal: ${person}`,
        `sync_state: ${person}`,
        `longshore.assignment: ${person}`,
      ]),
    );
    for (const machine of [one, two]) expect(placesOf(workDirOf(machine), words)).not.toEqual([]);

    const dry = await forget(site, person, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('acme: has 2 rows of 2 runs') });
    expect(await stored(site)).toContain(`journal: ${person}`);
    expect(await forget(site, person)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });

    const done = await forget(site, person, '--yes');
    expect(done, done.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('acme: forgotten: 2 rows'),
    });
    expect(await stored(site)).toEqual([]);
    expect(done.stdout).toContain(`Not touched: the real workspaces`);

    // A machine that gets no job of the workspace any more.
    two.start();
    await two.printed(/(acme): a person was forgotten; the older work dir/);
    expect(readdirSync(join(two.workDir, 'fleet'))).toEqual([]);
    expect(await two.drain()).toBe(0);
    // One that does.
    const applied = site.sandbox.log.filter((entry) => entry.applied).length;
    site.sandbox.add({ messages: [4, 5].map(message) });
    await site.longshore('fleet', 'run', 'acme', 'load');
    one.start();
    await site.succeeded('load');
    await site.longshore('fleet', 'run', 'acme', 'nightly');
    await site.succeeded('nightly');
    expect(await one.drain()).toBe(0);
    expect(site.sandbox.log.filter((entry) => entry.applied)).toHaveLength(applied);
    site.expectExact();
    const ids = site.exportedMessages().flat();
    expect([...ids].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    const again = JSON.parse((await forget(site, person, '--yes', '--json')).stdout);
    expect(again.workspaces).toMatchObject([{ workspace: 'acme', state: 'forgotten', known: 'forgotten' }]);
    expect(await stored(site)).toEqual([]);
  }));

it('waits for a job to end, says which workspace it did not reach, and can be killed and typed again', () =>
  atFleet({ rows: 8 }, async (site) => {
    await imported(site, 'one');
    await site.pool.query(
      "UPDATE longshore.holder SET until = now() + interval '1 hour', released = false WHERE workspace = 'acme'",
    );
    const busy = await forget(site, person, '--yes');
    expect(busy).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(
        /acme: NOT DONE: a job works on it[\s\S]*fleet forget person1@example.com acme/,
      ),
    });
    expect(await stored(site)).toContain(`journal: ${person}`);
    // Whoever pauses a workspace can forget there.
    await site.longshore('fleet', 'pause', 'acme');
    await site.pool.query("UPDATE longshore.holder SET released = true WHERE workspace = 'acme'");
    const killed = start(['fleet', 'forget', person, '--yes'], site.env);
    await vi.waitFor(
      async () => {
        const { rows } = await site.pool.query<{ worker: string }>('SELECT worker FROM longshore.holder');
        expect(rows[0]?.worker).toMatch(/^forget-/);
      },
      { timeout: 60_000, interval: 1 },
    );
    killed.process.kill('SIGKILL');
    await killed.ended;
    const done = await forget(site, person, 'acme', '--yes');
    expect(done, done.stderr + done.stdout).toMatchObject({ code: 0 });
    expect(await stored(site)).toEqual([]);
  }));

it('in the middle of an import whose machine died: another one continues, and everybody is there once', () =>
  // A busy machine does not miss a lease of ten seconds, and what it misses it tries again.
  atFleet(
    {
      rows: 40,
      concurrency: 1,
      limits: { lease: '10s', retries: 50 },
      faults: { latency: { min: 20, max: 40 } },
    },
    async (site) => {
      const [one, two] = [site.machine('one'), site.machine('two')];
      const isThere = () => site.sandbox.contacts().some(({ email }) => email === person);
      one.start();
      await site.longshore('fleet', 'run', 'acme', 'load');
      await vi.waitFor(() => expect(isThere(), one.said).toBe(true), { timeout: 120_000, interval: 5 });
      await one.kill();
      expect(site.sandbox.contacts().length).toBeLessThan(40);
      // It waits until the lease of the dead machine is over, and what that has sent has settled.
      const done = await forget(site, person, '--yes');
      expect(done, done.stderr + done.stdout).toMatchObject({ code: 0 });
      expect(await stored(site, [person, '12015550001'])).toEqual([]);
      two.start();
      await site.succeeded('load');
      const emails = site.sandbox.contacts().map(({ email }) => email);
      expect(emails.sort()).toEqual([...site.people.expected.keys()].sort());
      expect(await two.drain()).toBe(0);
      expect(await stored(site, [person, '12015550001'])).toEqual([]);
      expect(placesOf(workDirOf(two), [person, '12015550001'])).toEqual([]);
    },
  ));

it('says what it cannot do', () =>
  atFleet({ rows: 4 }, async (site) => {
    const nothing = await forget(site, person, '--yes');
    expect(nothing).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('acme: NOT DONE: nothing is stored'),
    });
    expect(await forget(site, person, 'acmee', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "acme"?'),
    });
    expect(await forget(site, '17', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('fleet forget 17 WORKSPACE'),
    });
    await imported(site, 'one');
    expect(await forget(site, 'id:4711', 'acme', '--yes')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('acme: NOT DONE: there is no person id:4711'),
    });
    const otherKey = { ...site.env, LONGSHORE_FLEET_KEY: 'a'.repeat(64) };
    const unread = await run(['fleet', 'forget', person, '--yes'], otherKey);
    expect(unread).toMatchObject({ code: 2, stdout: expect.stringContaining('encrypted with another key') });
    expect(await stored(site)).toContain(`journal: ${person}`);
    expect(await forget(site, 'key:1', 'acme', '--yes')).toMatchObject({ code: 0 });
    expect(await stored(site)).toEqual([]);
  }));

it('a work dir from before a person was forgotten is removed whole, and no other one', () => {
  const workDir = join(folder(), 'acme');
  const made = (...forgotten: string[]) => {
    mkdirSync(workDir, { recursive: true });
    writeFileSync(join(workDir, 'journal.db'), person);
    fleetMarkerStore.write(workDir, { workspace: 'acme', forgotten });
  };
  made();
  // Nobody was forgotten, or the database was lost: this machine's journal is the only one.
  expect(removeOutdatedWorkDir(workDir, [])).toBe(false);
  made('first');
  expect(removeOutdatedWorkDir(workDir, [])).toBe(false);
  expect(removeOutdatedWorkDir(workDir, ['first'])).toBe(false);
  expect(existsSync(join(workDir, 'journal.db'))).toBe(true);
  expect(removeOutdatedWorkDir(workDir, ['first', 'second'])).toBe(true);
  // A database that was set back to before the second: this machine's journal is the newer one.
  made('first', 'second');
  expect(removeOutdatedWorkDir(workDir, ['first'])).toBe(false);
  expect(removeOutdatedWorkDir(workDir, ['first', 'third'])).toBe(true);
  expect(readdirSync(join(workDir, '..'))).toEqual([]);
});

it('the results of runs have nothing of a person afterwards, and stay; out of reach of them nothing is begun', () =>
  atFleet({ rows: 8, fleet: { places: { outputs: 'out', results: 'results' } } }, async (site) => {
    const results = join(site.folder, 'results');
    mkdirSync(results);
    await imported(site, 'one');
    const path = join(site.folder, 'people.csv');
    // A row of theirs that is rejected is in the rejects.csv of the next run.
    writeFileSync(path, `${readFileSync(path, 'utf8')}99,First1,,${person},,not-a-number\n`);
    await imported(site, 'two');
    const files = () => readdirSync(results, { recursive: true, encoding: 'utf8' }).sort();
    const before = files();
    expect(placesOf(results, words)).not.toEqual([]);
    await site.pool.query(
      `UPDATE longshore.attempt SET ending = jsonb_set(ending, '{message}', to_jsonb($1::text))`,
      [`nobody knows ${person}`],
    );
    expect(await forget(site, person, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('in the folder of fleet.yaml'),
    });
    expect(placesOf(results, words)).not.toEqual([]);
    const done = await run(['fleet', 'forget', person, '--yes'], site.env, undefined, site.folder);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(placesOf(results, words)).toEqual([]);
    expect(await stored(site)).toEqual([]);
    const pages = (names: readonly string[]) => names.filter((name) => name.endsWith('report.html'));
    expect(pages(files())).toEqual(pages(before));
  }));

it('a workspace without a journal, which may have left the fleet, forgets lists and messages that name the person', () =>
  atFleet({ rows: 1 }, async (site) => {
    for (const workspace of ['acme', 'gone'])
      await site.pool.query(
        "INSERT INTO longshore.list (workspace, name, part, bytes) VALUES ($1, 'filled.csv', 0, '\\x00')",
        [workspace],
      );
    await site.pool.query(
      `INSERT INTO longshore.attempt (workspace, pipeline, ending) VALUES ('gone', 'load', $1)`,
      [JSON.stringify({ run: null, exitCode: 2, message: `nobody knows ${person}`, next: null })],
    );
    const done = await forget(site, person, '--yes');
    expect(done, done.stdout + done.stderr).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('acme: NOT DONE: nothing is stored of it yet'),
    });
    expect(done.stdout).not.toContain('gone');
    expect((await site.pool.query('SELECT workspace FROM longshore.list')).rows).toEqual([]);
    const { rows } = await site.pool.query<{ ending: { message: string } }>(
      'SELECT ending FROM longshore.attempt',
    );
    expect(rows.map(({ ending }) => ending.message)).toEqual(['nobody knows [forgotten]']);
  }));
