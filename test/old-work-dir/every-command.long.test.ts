import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { getCommandName } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { start } from '../end-to-end/command.ts';
import { atOldProject, type OldProject } from './old-project.ts';

const json = z.record(z.string(), z.unknown());
const listed = z.array(z.looseObject({ run: z.string() }));

/** What the version that left the project said then, of the same question. */
const then = ({ path }: OldProject, name: string): unknown =>
  JSON.parse(readFileSync(join(path, 'then', `${name}.json`), 'utf8'));

/** The run of a pipeline, as that version named it. */
function runOf(project: OldProject, pipeline: string): string {
  const found = listed
    .parse(then(project, 'runs'))
    .find(({ run }) => run.replace(/^[\d-]+/, '') === pipeline);
  if (found === undefined) throw new Error(`no run of ${pipeline}`);
  return found.run;
}

const names = ({ sandbox }: OldProject, pattern: RegExp) =>
  sandbox
    .contacts()
    .flatMap(({ firstName }) => (firstName !== null && pattern.test(firstName) ? [firstName] : []));

const said = async (project: OldProject, code: number, ...args: readonly string[]) => {
  const ended = await project.longshore(...args);
  expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({
    args,
    code,
    stderr: expect.any(String),
  });
  return ended.stdout;
};

/** Starts a command that serves until it is stopped, and resolves with the first address that it prints. */
async function serves(project: OldProject, ...args: readonly string[]): Promise<string> {
  const running = start(args, { LONGSHORE_TOKEN: 'sandbox' }, undefined, project.path);
  let printed = '';
  for (const stream of [running.process.stdout, running.process.stderr])
    stream?.on('data', (piece: Buffer) => {
      printed += piece.toString();
    });
  try {
    return await vi.waitFor(
      () => {
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
        if (address === undefined) throw new Error(`no address yet: ${printed}`);
        return address;
      },
      { timeout: 200_000 },
    );
  } finally {
    running.process.kill('SIGTERM');
    await running.ended;
  }
}

/** What each command does at the project that the last release left. */
const plays: Readonly<Record<string, (project: OldProject) => Promise<void>>> = {
  async check(project) {
    await said(project, 0, 'check', 'nightly.yaml');
    await said(project, 3, 'check', 'people.yaml');
    // What was drafted then asks its questions now.
    await said(project, 2, 'check', 'drafted/pipelines/import-people.yaml');
    expect(project.writes()).toEqual([]);
  },
  async fields(project) {
    const there = ['--workspace', project.sandbox.baseUrl];
    expect(await said(project, 0, 'fields', 'people.yaml', ...there)).toContain('City');
  },
  async draft(project) {
    const drafted = ['mappings/people.yaml', 'pipelines/import-people.yaml'];
    const before = drafted.map((name) => readFileSync(join(project.path, 'drafted', name), 'utf8'));
    // What was drafted then is not written over; another folder gets its drafts.
    await said(project, 2, 'draft', 'people.csv', '--out', 'drafted', '--key', 'ID', '--country', 'US');
    expect(drafted.map((name) => readFileSync(join(project.path, 'drafted', name), 'utf8'))).toEqual(before);
    await said(project, 0, 'draft', 'people.csv', '--out', 'again', '--key', 'ID', '--country', 'US');
    expect(existsSync(join(project.path, 'again', 'mappings/people.yaml'))).toBe(true);
  },
  async plan(project) {
    const plan = await project.json(0, 'plan', 'planned.yaml', '--workspace', project.sandbox.baseUrl);
    expect(plan).toMatchObject({ rows: { created: 3 } });
    const again = await project.json(3, 'plan', 'people.yaml', '--workspace', project.sandbox.baseUrl);
    expect(again).toMatchObject({ rows: { created: 0, updated: 0, rejected: 1, proposed: 1 } });
    expect(project.writes()).toEqual([]);
  },
  async rehearse(project) {
    const there = ['--workspace', project.sandbox.baseUrl];
    const rehearsed = await project.json(0, 'rehearse', 'planned.yaml', ...there);
    expect(rehearsed).toMatchObject({ rows: { created: 3 } });
    expect(project.writes()).toEqual([]);
  },
  async import(project) {
    const there = ['--workspace', project.sandbox.baseUrl];
    expect(await project.json(0, 'import', 'planned.yaml', '--plan', 'planned.plan', ...there)).toMatchObject(
      {
        rows: { created: 3 },
      },
    );
    expect(names(project, /^First Q/)).toEqual(['First Q1', 'First Q2', 'First Q3']);
    project.writes();
    expect(await project.json(3, 'import', 'people.yaml', ...there)).toMatchObject({
      rows: { read: 7, created: 0, updated: 0, unchanged: 4, folded: 1, proposed: 1, rejected: 1 },
    });
    expect(await project.json(0, 'import', 'local.yaml', '--workspace', 'sandbox')).toMatchObject({
      rows: { read: 3, unchanged: 3 },
    });
    expect(project.writes()).toEqual([]);
    expect(await project.json(0, 'import', 'deferred.yaml', '--deferred', ...there)).toMatchObject({
      rows: { read: 3, updated: 3 },
    });
    expect(project.writes().every((write) => write.endsWith('/lifecycle/update'))).toBe(true);
  },
  async export(project) {
    const there = ['--workspace', project.sandbox.baseUrl];
    await project.json(0, 'export', 'nightly.yaml', ...there);
    await project.json(0, 'export', 'weekly.yaml', ...there);
    expect(project.writes()).toEqual([]);
  },
  async resume(project) {
    expect(await project.json(0, 'resume', runOf(project, 'cut'))).toMatchObject({
      rows: { created: 5, notReached: 0 },
    });
    expect(names(project, /^First C/)).toHaveLength(5);
    expect(new Set(names(project, /^First C/)).size).toBe(5);
  },
  async retry(project) {
    project.edit('people.csv', 'not-an-address', 'p7@example.com');
    expect(await project.json(0, 'retry', runOf(project, 'people'))).toMatchObject({
      rows: { read: 1, created: 1 },
    });
    expect(names(project, /^First P7/)).toEqual(['First P7']);
  },
  async verify(project) {
    const counts = (result: unknown) => {
      const { contacts, values, causes, fields } = json.parse(result);
      return { contacts, values, causes, fields };
    };
    expect(counts(await project.json(3, 'verify', runOf(project, 'people')))).toEqual(
      counts(then(project, 'verify')),
    );
    expect(project.writes()).toEqual([]);
  },
  async undo(project) {
    expect(names(project, /Y[123]$/)).toEqual(expect.arrayContaining(['Before Y1']));
    await project.json(3, 'undo', runOf(project, 'half-undone'), '--yes');
    expect(names(project, /Y[123]$/).sort()).toEqual(['Before Y1', 'Before Y2', 'Before Y3']);
    project.writes();
    // What was undone then is not put back again.
    await project.longshore('undo', runOf(project, 'undone'), '--yes');
    expect(project.writes()).toEqual([]);
  },
  async status(project) {
    for (const name of ['people', 'deferred', 'uncertain', 'local'] as const) {
      const now = await project.json(0, 'status', runOf(project, name));
      const before = json.parse(then(project, `status-${name}`));
      expect(now.rows).toEqual(before.rows);
      expect(now.state).toEqual(before.state);
      expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(before)));
    }
  },
  async runs(project) {
    const { stdout } = await project.longshore('runs', '--json');
    const shown = listed
      .parse(JSON.parse(stdout))
      .map(({ run, state, rows, open }) => [run, state, rows, open]);
    const before = listed.parse(then(project, 'runs'));
    expect(shown).toEqual(before.map(({ run, state, rows, open }) => [run, state, rows, open]));
  },
  async forget(project) {
    await said(project, 0, 'forget', 'p1@example.com', '--yes');
    const journal = readFileSync(join(project.path, '.longshore', 'journal.db'));
    expect(journal.includes('p1@example.com')).toBe(false);
    const again = ['import', 'people.yaml', '--workspace', project.sandbox.baseUrl];
    expect(await project.json(3, ...again)).toMatchObject({ rows: { read: 7, created: 0, updated: 0 } });
    expect(project.writes()).toEqual([]);
  },
  async prune(project) {
    await said(project, 0, 'prune', '--older', '1s', '--yes');
    expect(existsSync(join(project.path, '.longshore', 'runs', runOf(project, 'local')))).toBe(false);
    // What was pruned is still known: nothing is sent twice.
    const again = ['import', 'local.yaml', '--workspace', 'sandbox'];
    expect(await project.json(0, ...again)).toMatchObject({ rows: { unchanged: 3 } });
  },
  async schedule(project) {
    expect(await said(project, 0, 'schedule', 'nightly.yaml', '--for', 'cron')).toContain('nightly.yaml');
  },
  async studio(project) {
    expect(await serves(project, 'studio', '--no-open', '--port', '0')).toMatch(/^http:/);
  },
  async sandbox(project) {
    expect(await serves(project, 'sandbox', '--file', '.longshore/sandbox.db', '--port', '0')).toMatch(
      /^http:/,
    );
  },
  async schema(project) {
    expect(json.parse(JSON.parse(await said(project, 0, 'schema', 'mapping')))).toHaveProperty('properties');
  },
  async explain(project) {
    expect(await said(project, 0, 'explain', 'email.invalid')).toContain('email');
  },
  async completion(project) {
    expect(await said(project, 0, 'completion', 'bash')).toContain('longshore');
  },
  async help(project) {
    expect(await said(project, 0, 'help')).toContain('longshore');
  },
};

/** Commands that have nothing to do with a work dir that was left: their state is in a database. */
const elsewhere: Readonly<Record<string, string>> = {
  fleet: 'test/fleet/upgrade.long.test.ts has the database of an older version',
  worker: 'test/fleet/upgrade.long.test.ts has the database of an older version',
};

it('has a case for every command, or a reason why it has none', () => {
  expect([...Object.keys(plays), ...Object.keys(elsewhere)].sort()).toEqual(
    commands.map(getCommandName).sort(),
  );
});

it.each(Object.entries(plays))('%s works at a project of the last release', (_name, play) =>
  atOldProject(play, [], 'every-command'),
);
