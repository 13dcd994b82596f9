import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { AssignmentStatus, FleetStatus, PipelineAttempt } from '../../src/fleet/control/status.ts';
import { run } from '../end-to-end/command.ts';
import { atFleet, type FleetSite } from './fleet-site.ts';

interface WorkspaceStatus extends FleetStatus {
  readonly attempts: readonly PipelineAttempt[];
}

/** How the workspace stands, as the command says, and its exit code. */
async function statusOf(
  site: FleetSite,
): Promise<{ code: number | null; load: AssignmentStatus; tries: PipelineAttempt[] }> {
  const { code, stdout, stderr } = await run(['fleet', 'status', 'acme', '--json'], site.env);
  expect(stderr).toBe('');
  const status: WorkspaceStatus = JSON.parse(stdout);
  const load = status.assignments.find(({ pipeline }) => pipeline === 'load');
  if (load === undefined) throw new Error('The workspace has no pipeline load.');
  return { code, load, tries: status.attempts.filter(({ pipeline }) => pipeline === 'load') };
}

/** Waits until so many tries have ended. */
async function tried(site: FleetSite, tries: number) {
  return await vi.waitFor(
    async () => {
      const found = await statusOf(site);
      expect(found.tries.length, found.load.last?.message ?? '').toBeGreaterThanOrEqual(tries);
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
}

const withResults = { places: { outputs: 'out', results: 'results' } };

/** The words of a command that a person types behind the program. */
const wordsOf = (command: string | null | undefined) =>
  (command ?? '').replace(/^.*?(?=fleet )/, '').split(' ');

/** One person of the input gets an e-mail that is none, and has no phone: the row is rejected. */
function spoilRow(site: FleetSite, n: number): void {
  const path = join(site.folder, 'people.csv');
  const text = readFileSync(path, 'utf8');
  const line = text.split('\n').find((each) => each.startsWith(`${n},`)) ?? '';
  writeFileSync(path, text.replace(line, `${n},First${n},Last${n},not-an-email,,${n}`));
}

it('what a run leaves for people goes to its place before it counts as done, and the command that is shown works', () =>
  atFleet({ rows: 6, fleet: withResults }, async (site) => {
    mkdirSync(join(site.folder, 'results'));
    spoilRow(site, 2);
    const machine = site.machine('first');
    machine.start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    const { code, load } = await tried(site, 1);
    expect(load).toMatchObject({ state: 'look', last: { exitCode: 3 } });
    expect(code).toBe(3);
    const { results, steps = [], run: first } = load.last ?? {};
    expect(results?.folder).toBe(join(site.folder, 'results/acme/load', first ?? ''));
    expect(results?.files).toEqual(expect.arrayContaining(['rejects.csv', 'report.html', 'summary.json']));
    const folder = results?.folder ?? '';
    expect(readdirSync(folder).sort()).toEqual([...(results?.files ?? [])].sort());
    const rejects = join(folder, 'rejects.csv');
    const retry = steps.find(({ command }) => command?.includes('--from'));
    expect(wordsOf(retry?.command)).toEqual(['fleet', 'retry', 'acme', 'load', '--rows', '--from', rejects]);
    // The page that people open says the same.
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('fleet retry acme load --rows');
    const shown = await run(['fleet', 'status', 'acme'], site.env);
    expect(shown.stdout).toContain('rejects.csv');
    expect(shown.stdout).toContain(retry?.command);

    const text = readFileSync(rejects, 'utf8');
    expect(text).toContain('not-an-email');
    writeFileSync(rejects, text.replace('not-an-email,', 'person2@example.com,+12015550002'));
    await site.longshore(...wordsOf(retry?.command));
    const after = await tried(site, 2);
    expect(after.load.last).toMatchObject({ exitCode: 0 });
    expect(after.code).toBe(0);
    site.expectExact();
    // The run that was retried has no row open any more, and its results say so.
    const summary: { open: number } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    expect(summary.open).toBe(0);
    const { rows: lists } = await site.pool.query('SELECT 1 FROM longshore.list');
    expect(lists).toEqual([]);
    expect(await machine.drain()).toBe(0);
  }));

it('a retry of rows without any says so, and is no failure', () =>
  atFleet({ rows: 2 }, async (site) => {
    site.machine('first').start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    await site.succeeded('load');
    await site.longshore('fleet', 'retry', 'acme', 'load', '--rows');
    const { load } = await tried(site, 2);
    expect(load.last).toMatchObject({ exitCode: 0, message: expect.stringContaining('nothing to retry') });
    expect(load.failures).toBe(0);
  }));

it('older results go where only so many runs are kept', () =>
  atFleet(
    { rows: 2, fleet: { places: { outputs: 'out', results: 'results', keepResults: 2 } } },
    async (site) => {
      mkdirSync(join(site.folder, 'results'));
      site.machine('first').start();
      const runs: (string | null | undefined)[] = [];
      for (const n of [1, 2, 3]) {
        await site.longshore('fleet', 'run', 'acme', 'load');
        runs.push((await tried(site, n)).load.last?.run);
      }
      const kept = readdirSync(join(site.folder, 'results/acme/load'));
      expect(kept.sort()).toEqual(runs.slice(1).sort());
      expect(existsSync(join(site.folder, 'results/acme/load', runs[2] ?? '', 'report.html'))).toBe(true);
    },
  ));

it('a filled-in list is taken from anywhere, and the worker that imports it has it from the database', () =>
  atFleet({ rows: 6, fleet: withResults }, async (site) => {
    mkdirSync(join(site.folder, 'results'));
    const path = join(site.folder, 'people.csv');
    // Two people of one address: whether they are one, only a person can say.
    writeFileSync(path, readFileSync(path, 'utf8').replace('person2@', 'person1@'));
    site.machine('first').start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    const { load } = await tried(site, 1);
    const step = load.last?.steps?.find(({ command }) => command?.includes('fleet approve'));
    const [, , , list = '', ...of] = wordsOf(step?.command);
    expect(of).toEqual(['--of', 'load']);
    const lines = readFileSync(list, 'utf8').split('\n');
    const column = (lines[0] ?? '').split(',').indexOf('answer');
    expect(column).toBeGreaterThanOrEqual(0);
    const cells = (lines[1] ?? '').split(',');
    cells[column] = 'different';
    const filled = join(site.folder, 'filled.csv');
    writeFileSync(filled, [lines[0], cells.join(','), ''].join('\n'));
    expect(await run(['fleet', 'approve', 'acme', list], site.env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing is answered'),
    });
    await site.longshore('fleet', 'approve', 'acme', filled);
    const after = await tried(site, 2);
    // The address stays with one of them, which is on the list of what was dropped.
    expect(after.load.last?.steps?.filter(({ command }) => command?.includes('fleet approve')) ?? []).toEqual(
      [],
    );
    const names = site.sandbox.contacts().map(({ firstName }) => firstName);
    expect(names).toEqual(expect.arrayContaining(['First1', 'First2']));
  }));

it('a merge that a person has approved in the list of results is done by a worker', () =>
  atFleet({ rows: 2, fleet: withResults }, async (site) => {
    mkdirSync(join(site.folder, 'results'));
    const named = { firstName: 'First1', lastName: 'Last1' };
    site.sandbox.add({
      contacts: [
        { ...named, email: 'person1@example.com' },
        { ...named, phone: '+12015550001' },
      ],
    });
    site.machine('first').start();
    await site.longshore('fleet', 'run', 'acme', 'load');
    const { code, load } = await tried(site, 1);
    expect(code).toBe(3);
    expect(site.sandbox.contacts()).toHaveLength(3);
    const step = load.last?.steps?.find(({ command }) => command?.includes('merge-proposals.csv'));
    const [, , , list = ''] = wordsOf(step?.command);
    const [head = '', line = ''] = readFileSync(list, 'utf8').split('\n');
    expect(head).toMatch(/^approve,/);
    const filled = join(site.folder, 'filled.csv');
    writeFileSync(filled, `${head}\nyes${line}\n`);
    await site.longshore('fleet', 'approve', 'acme', filled, '--of', 'load');
    await tried(site, 2);
    const both = { ...named, email: 'person1@example.com', phone: '+12015550001' };
    expect(site.sandbox.contacts().filter(({ firstName }) => firstName === 'First1')).toMatchObject([both]);
    expect((await statusOf(site)).load.state).not.toBe('look');
  }));

it('what cannot be asked of a pipeline is refused before anything is queued', () =>
  atFleet({ rows: 2 }, async (site) => {
    const refused = async (...words: readonly string[]) => {
      const { code, stderr } = await run(['fleet', ...words], site.env);
      expect(code, stderr).toBe(2);
      return stderr;
    };
    expect(await refused('retry', 'acme', 'nightly', '--rows')).toContain('nightly is an export');
    expect(await refused('continue', 'acme')).toContain('--with new, or --with old');
    expect(await refused('approve', 'acme')).toContain('Missing argument FILE');
    expect(await refused('retry', 'acme', '--rows', '--from', 'nowhere.csv')).toContain('nowhere.csv');
    expect(await refused('status', 'acmee')).toContain('did you mean "acme"');
    await site.longshore('fleet', 'retry', 'acme', '--rows');
    // The first is in the queue, the second is noted, and a third would take its place.
    await site.longshore('fleet', 'continue', 'acme', '--with', 'new');
    expect(await refused('run', 'acme', '--deferred')).toContain('asked for something else');
  }));
