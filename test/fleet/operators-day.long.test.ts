import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { run } from '../end-to-end/command.ts';
import { inOrder, standing } from '../end-to-end/people.ts';
import { ownFiles } from './fleet-site.ts';
import { drained, type OperationsSite, onServer } from './operations-site.ts';
import { type DayOptions, dayRows, playRow } from './operators-day.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const input = (site: OperationsSite) => join(site.folder, 'people.csv');

/** Edits a file of the site. */
function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

/** Has the worker look at once whether an input has come, which it does once a minute. */
async function lookAgain(site: OperationsSite): Promise<void> {
  await site.pool.query(`UPDATE longshore_queue.job SET start_after = now() WHERE state < 'active'`);
}

/** Every score has such a digit in front of it from now on; the input as it was before is in a file of its own. */
function replaceInput(site: OperationsSite, digit: number): string {
  const before = `${input(site)}.before-${digit}`;
  const text = readFileSync(input(site), 'utf8');
  renameSync(input(site), before);
  writeFileSync(input(site), text.replaceAll(/,\d?(\d)$/gm, `,${digit}$1`));
  return before;
}

/** Everybody is there once, with the scores of an input that was replaced. */
function expectScores(site: OperationsSite, digit: number): void {
  const wanted = inOrder(site.people.expected).map(([email, contact]) => [
    email,
    { ...contact, Score: `${digit}${contact.Score.slice(-1)}` },
  ]);
  expect(inOrder(standing(site.sandbox))).toEqual(wanted);
}

/** An import is stopped in its middle, and its input replaced before it is continued on another machine. */
async function replacedInTheMiddle(site: OperationsSite, name: string, digit: number): Promise<string> {
  const machine = site.machine(name);
  const before = site.changes();
  machine.start();
  await site.longshore('fleet', 'run', 'acme', 'import');
  await vi.waitFor(() => expect(site.changes()).toBeGreaterThan(before + 2), {
    timeout: 60_000,
    interval: 10,
  });
  await drained(machine);
  expect(machine.said).toContain('acme/import: continues later');
  return replaceInput(site, digit);
}

/** So slow that it is stopped in the middle. */
const slow = { rows: 16, concurrency: 1, faults: { latency: { min: 40, max: 40 } } } as const;

/** The folder with the results of the last run, as `fleet status acme` names it. */
function folderWith(file: string, status: string): string {
  const [, folder = ''] = new RegExp(`^ {2}(/.+?): .*\\b${file}`, 'm').exec(status) ?? [];
  expect(folder, status).not.toBe('');
  return folder;
}

/** An input was replaced twice: once the new one is taken, and once the old one is put back. */
const decidedByPerson: DayOptions = {
  ...slow,
  async play(day, site) {
    const [withNew, withOld] = day.commands;
    await replacedInTheMiddle(site, 'one', 7);
    const two = site.machine('two');
    two.start();
    await day.sees(...day.seen);
    await day.types(withNew);
    await site.succeeded('import');
    expectScores(site, 7);
    await drained(two);
    replaceInput(site, 8);
    const before = await replacedInTheMiddle(site, 'three', 9);
    site.machine('four').start();
    await day.sees(...day.seen);
    renameSync(before, input(site));
    await day.types(withOld);
    await site.succeeded('import');
    expectScores(site, 8);
  },
};

/** How each row of the table is played, by its bold words. */
const players: Readonly<Record<string, DayOptions>> = {
  'An input is late': {
    async play(day, site) {
      const [queued, waitedFor, failed, tooLate] = day.seen;
      const [retry] = day.commands;
      site.machine('one').start();
      renameSync(input(site), `${input(site)}.later`);
      await site.longshore('fleet', 'run', 'acme', 'import');
      await day.sees(queued, waitedFor);
      renameSync(`${input(site)}.later`, input(site));
      await lookAgain(site);
      await site.succeeded('import');
      replaceInput(site, 7);
      renameSync(input(site), `${input(site)}.later`);
      await site.longshore('fleet', 'run', 'acme', 'import');
      await day.sees(queued, waitedFor);
      // The time until which it is waited for was over yesterday.
      await site.pool.query(`UPDATE longshore.assignment SET called_at = now() - interval '1 day'`);
      await lookAgain(site);
      await day.sees(failed, tooLate);
      renameSync(`${input(site)}.later`, input(site));
      await day.types(retry);
      await site.succeeded('import');
      expectScores(site, 7);
    },
  },
  'An input was replaced': {
    ...slow,
    async play(_day, site) {
      await replacedInTheMiddle(site, 'one', 7);
      site.machine('two').start();
      await site.succeeded('import');
      expectScores(site, 7);
    },
  },
  'An input was replaced, and a person decides': decidedByPerson,
  'An input was replaced, and that is an error': decidedByPerson,
  'Rows were rejected': {
    async play(day, site) {
      const [retry] = day.commands;
      edit(input(site), (text) => text.replace(/person2@example.com,\+\d+/, 'not-an-email,'));
      site.machine('one').start();
      await site.longshore('fleet', 'run', 'acme', 'import');
      const status = await day.sees(...day.seen);
      const folder = folderWith('rejects.csv', status);
      expect(status).toContain(retry?.replace('…', folder));
      edit(join(folder, 'rejects.csv'), (text) => {
        expect(text).toContain('not-an-email,');
        return text.replace('not-an-email,', 'person2@example.com,+12015550002');
      });
      await day.types(retry, folder);
      await day.calm();
      site.expectExact();
    },
  },
  'Two rows may be one person': {
    async play(day, site) {
      const [approve] = day.commands;
      const [same, different, column] = day.words;
      edit(input(site), (text) => text.replace('person2@', 'person1@').replace('person6@', 'person5@'));
      site.machine('one').start();
      await site.longshore('fleet', 'run', 'acme', 'import');
      const folder = folderWith('same-person.csv', await day.sees(...day.seen));
      edit(join(folder, 'same-person.csv'), (text) => {
        expect(text.split(',', 1)).toEqual([column]);
        return text.replace(/^(?=,4,)/m, `${different}`).replace(/^(?=,8,)/m, `${same}`);
      });
      await day.types(approve, folder);
      await day.calm();
      const contacts = standing(site.sandbox);
      // Somebody else than person1 keeps the phone alone; person5 and person6 are one.
      expect(contacts.filter(([, { firstName }]) => /^First[1256]$/.test(firstName))).toHaveLength(3);
      expect(contacts.find(([, { firstName }]) => firstName === 'First2')).toMatchObject([
        '',
        { phone: '+12015550002' },
      ]);
      expect(contacts).toHaveLength(11);
    },
  },
  'A machine is bad': {
    limits: { lease: '8s' },
    async play(day, site) {
      const home = join(site.folder, 'unmounted');
      const bad = site.machineWith('bad', { file: ownFiles(site, 'unmounted') });
      bad.start();
      await day.sees(...day.seen);
      await site.longshore('fleet', 'run', 'acme', 'import');
      const good = site.machine('good');
      good.start();
      await site.succeeded('import');
      expect(bad.said).not.toContain('taken');
      site.expectExact();
      await drained(good);
      for (const place of ['out', 'results']) mkdirSync(join(home, place));
      await bad.printed(/(This machine takes jobs)/);
      await site.done('import');
    },
  },
  'A job was given up': {
    async play(day, site) {
      site.machine('one').start();
      for (const [n, retry] of day.commands.entries()) {
        renameSync(input(site), `${input(site)}.gone`);
        await site.longshore('fleet', 'run', 'acme', 'import');
        await day.sees(...day.seen);
        renameSync(`${input(site)}.gone`, input(site));
        replaceInput(site, n + 1);
        await day.types(retry);
        await site.succeeded('import');
        expectScores(site, n + 1);
      }
    },
  },
  'The database was restored': {
    async play(day, site) {
      const [newer, failed, apart] = day.seen;
      const [retry] = day.commands;
      const [one, two] = [site.machine('one'), site.machine('two')];
      site.input(6);
      await site.turn(one, 'import');
      await site.backup();
      site.input(12);
      await site.turn(two, 'import');
      const changes = site.changes();
      await site.restore();
      // The machine that worked last is the first: it knows more than the database.
      await site.turn(two, 'import');
      await day.sees(newer);
      expect(site.changes()).toBe(changes);
      await site.restore();
      // Here another one is the first, and the one that worked last knows what the database does not.
      await site.turn(one, 'import');
      const since = site.changes();
      two.start();
      await site.longshore('fleet', 'run', 'acme', 'import');
      await day.sees(failed, apart);
      await drained(two);
      renameSync(join(two.workDir, 'fleet/acme'), join(two.workDir, 'acme-before'));
      two.start();
      await day.types(retry);
      await site.succeeded('import');
      expect(site.changes()).toBe(since);
      site.expectExact();
    },
  },
  'A new fleet file': {
    limits: { lease: '8s' },
    async play(day, site) {
      const [apply] = day.commands;
      const [changes, refused] = day.seen;
      const file = ownFiles(site, 'elsewhere');
      const home = join(site.folder, 'elsewhere');
      for (const place of ['out', 'results']) mkdirSync(join(home, place));
      const one = site.machineWith('one', { file });
      one.start();
      await site.done('import');
      const mapping = (folder: string) => join(folder, 'mapping.yaml');
      edit(mapping(site.folder), (text) => text.replace('{ from: First }', '{ from: Last }'));
      await day.types(apply, '', '--yes');
      await site.longshore('fleet', 'run', 'acme', 'import');
      await day.sees(changes, refused);
      edit(mapping(home), () => readFileSync(mapping(site.folder), 'utf8'));
      await day.types(apply, '', '--yes');
      await site.succeeded('import');
      const wanted = inOrder(site.people.expected).map(([email, contact]) => [
        email,
        { ...contact, firstName: contact.lastName },
      ]);
      expect(inOrder(standing(site.sandbox))).toEqual(wanted);
    },
  },
  'A new version': {
    ...slow,
    // Enough that the import is still at work when the worker hears that it is to drain, however slow the machine is.
    rows: 60,
    limits: { lease: '8s' },
    async play(day, site) {
      const [drain, init] = day.commands;
      const [old, again] = [site.machine('old'), site.machine('again')];
      old.start();
      await site.longshore('fleet', 'run', 'acme', 'import');
      await vi.waitFor(() => expect(site.changes()).toBeGreaterThan(2), { timeout: 60_000, interval: 10 });
      await day.types(drain);
      expect(await old.ended).toBe(0);
      expect(old.said).toContain('acme/import: continues later');
      // Something that keeps workers running starts one of the old version meanwhile; paused, its job waits for the new one.
      await site.longshore('fleet', 'pause', 'acme');
      again.start();
      await again.printed(/(up to \d+ jobs)/);
      day.env = nextVersion;
      await day.types(init);
      await day.sees(...day.seen);
      const next = site.machineWith('next', { env: nextVersion });
      next.start();
      expect(await run(['fleet', 'resume', 'acme'], { ...site.env, ...nextVersion })).toMatchObject({
        code: 0,
      });
      await site.succeeded('import');
      await drained(again);
      expect(again.said).not.toContain('taken');
      site.expectExact();
    },
  },
};

/** What makes a process one of the next version: this one, with one migration more. */
const patched = `import vm from 'node:vm';
vm.Script = class extends vm.Script {
  constructor(code, options) {
    const isTheirs = code.includes('const migrations = [') && code.includes('CREATE TABLE longshore.');
    if (isTheirs) super(code.replace(/\\n\\}\\)$/, ';migrations.push("SELECT 1");\\n})'), { ...options, cachedData: undefined });
    else super(code, options);
  }
};`;
const nextVersion = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(patched)}` };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

/** The server of all rows, with an empty database for each: it is what takes longest to start. */
async function emptyDatabase(): Promise<Postgres> {
  const { pathname, href } = new URL(postgres.url);
  const name = pathname.slice(1);
  await onServer(href, `DROP DATABASE ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`);
  return { ...postgres, remove: () => Promise.resolve() };
}

const rows = dayRows();

it("every row of the operator's day is played, and every player has a row", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(players));
});

it.each(rows)("an operator's day: $what", async (row) => {
  const player = players[row.what];
  if (player === undefined) throw new Error(`Nobody plays the row "${row.what}".`);
  await playRow(row, player, emptyDatabase);
});
