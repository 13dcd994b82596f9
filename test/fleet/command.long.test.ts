import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssignmentStatus } from '../../src/fleet/control/status.ts';
import { start } from '../end-to-end/command.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const folder = temporaryFolder();
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.remove();
  folder.remove();
});

const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
write(
  'nightly.yaml',
  'pipeline: nightly\nexport:\n  to: out/{workspace}/{date}\n  contacts: { format: csv }\n',
);

function fleetYaml(cron: string, more = '', limits = '', forNames = ''): void {
  write(
    'fleet.yaml',
    `fleet: agency
defaults: { baseUrl: https://api.example.test/v1, tokenFile: "tokens/{workspace}" }
workspaces: { acme: {}, beta: {}${more} }
pipelines:
  nightly: { file: nightly.yaml, schedule: { cron: "${cron}", timezone: UTC, spread: 1h }, lateAfter: 0s${forNames} }
${limits}`,
  );
}

async function fleet(...words: readonly string[]) {
  const env = { LONGSHORE_FLEET_DATABASE: postgres.url };
  return await run(['fleet', ...words], env, undefined, folder.path);
}

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function json(...words: readonly string[]) {
  const { code, stdout, stderr } = await fleet(...words, '--json');
  const answer = JSON.parse(stdout);
  // No worker is alive here: what is queued needs attention.
  expect({ code, stderr }).toEqual({ code: answer.counts?.queued > 0 ? 3 : 0, stderr: '' });
  return answer;
}

describe('longshore fleet', () => {
  it('says what is missing, one step after the other', async () => {
    const without = await run(['fleet', 'status'], { LONGSHORE_FLEET_DATABASE: '' });
    expect(without).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('LONGSHORE_FLEET_DATABASE is not set'),
    });
    const nobody = { LONGSHORE_FLEET_DATABASE: 'postgres://a:secret@127.0.0.1:1/x' };
    const unreachable = await run(['fleet', 'status'], nobody);
    expect(unreachable).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('does not answer as it should'),
    });
    expect(unreachable.stderr).not.toContain('secret');
    expect(await fleet('status')).toMatchObject({ code: 2, stderr: expect.stringContaining('fleet init') });
    const init = await fleet('init');
    expect(init).toMatchObject({ code: 0, stdout: expect.stringContaining('fleet apply fleet.yaml') });
    expect(await fleet('init')).toMatchObject({ stdout: expect.stringContaining('prepared already') });
    expect(await fleet('status')).toMatchObject({
      stdout: expect.stringContaining('No fleet was applied yet'),
    });
    for (const words of [
      ...['run', 'retry', 'pause', 'resume'].flatMap((action) => [
        [action, '--all'],
        [action, 'acme'],
      ]),
      ...[
        ['status', 'acme'],
        ['run', 'acme', '--deferred'],
        ['retry', 'acme', '--rows'],
      ],
    ])
      expect(await fleet(...words), words.join(' ')).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(/^error: no fleet was applied yet\.\n {2}.+ fleet apply fleet\.yaml$/m),
      });
    expect(await fleet('apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no fleet file'),
    });
  });

  it('shows what apply would change, and changes it with --yes', async () => {
    fleetYaml('0 2 * * *');
    const added = `The fleet agency would be as ${folder.path}/fleet.yaml says:
  + workspace: acme, beta
  + nightly (export) at 0 2 * * * UTC, spread over 1 h: acme, beta
`;
    expect(await fleet('apply', '--dry-run')).toMatchObject({ code: 0, stdout: added });
    expect(await fleet('apply')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no terminal to ask at'),
    });
    expect((await json('status')).assignments).toEqual([]);
    expect(await json('apply', '--yes')).toMatchObject({ applied: true, unchanged: 0 });
    expect(await fleet('apply')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing changes'),
    });
    fleetYaml('30 2 * * *', ', gamma: {}');
    const changed = await json('apply', '--yes');
    expect(changed.workspaces).toEqual([{ what: 'added', workspace: 'gamma', columns: [] }]);
    expect(changed.assignments).toMatchObject([
      { what: 'changed', workspace: 'acme', columns: ['schedule'] },
      { what: 'changed', workspace: 'beta', columns: ['schedule'] },
      { what: 'added', workspace: 'gamma' },
    ]);
    fleetYaml('30 2 * * *', ', gamma: {}', 'limits: { inAll: 7, lease: 1m }\n');
    const limits = await fleet('apply', '--dry-run');
    expect(limits.stdout).toContain('  ~ limits.inAll: none → 7\n  ~ limits.lease: 30 s → 1 min\n');
    expect(await fleet('apply')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await json('apply', '--yes')).limits).toEqual([
      { limit: 'inAll', before: null, after: 7 },
      { limit: 'lease', before: 30_000, after: 60_000 },
    ]);
    expect((await json('apply')).limits).toEqual([]);
    const { fleet: name, assignments, counts, workers } = await json('status');
    expect({ name, counts, workers }).toMatchObject({
      name: 'agency',
      counts: { waiting: 3, late: 0 },
      workers: [],
    });
    expect(assignments[0].nextAt).toMatch(/T(02:[345]|03:[012])/);
  });

  it('queues, pauses and resumes', async () => {
    expect(await json('run', 'beta')).toEqual({ queued: [{ workspace: 'beta', pipeline: 'nightly' }] });
    const [first] = (await json('status')).assignments;
    expect(first).toMatchObject({ workspace: 'beta', state: 'queued' });
    expect(await json('pause', 'beta')).toEqual({ workspaces: ['beta'] });
    await json('pause', 'acme');
    expect((await json('status')).counts).toMatchObject({ paused: 2, waiting: 1 });
    expect(await json('resume', '--all')).toEqual({ workspaces: ['acme', 'beta', 'gamma'] });
    expect((await json('status')).counts).toMatchObject({ queued: 1, waiting: 2 });
    expect(await fleet('retry', 'beta')).toMatchObject({
      code: 0,
      stdout: 'Nothing was given up, and nothing waits to be tried again.\n',
    });
  });

  it('needs attention where jobs wait and no worker is alive, also those whose time has passed since', async () => {
    const { code, stdout } = await fleet('status');
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^agency: 1 late, 1 queued, 2 waiting, 0 workers\n/),
    });
    expect(stdout).toMatch(
      / {2}No worker is alive: 1 pipeline waits\. Start one:\n {4}\S.* worker fleet\.yaml\n/,
    );
    expect(await fleet('status', 'acme')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No worker is alive: nothing runs.'),
    });
    await query(
      "UPDATE longshore.assignment SET next_at = next_at - interval '2 days' WHERE workspace = 'acme'",
    );
    expect(await fleet('status', 'acme')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('No worker is alive: 1 pipeline waits.'),
    });
    await query(
      "UPDATE longshore.assignment SET next_at = next_at + interval '2 days' WHERE workspace = 'acme'",
    );
  });

  it('is not applied where the database has another fleet, unless it is to take its place, and history stays', async () => {
    const text = readFileSync(join(folder.path, 'fleet.yaml'), 'utf8');
    const other = join(folder.path, 'other.yaml');
    writeFileSync(other, text.replace('fleet: agency', 'fleet: other'));
    const known = async () => {
      const { fleet: name, assignments } = await json('status');
      return [name, assignments.map((each: AssignmentStatus) => ({ ...each, lateSeconds: null }))];
    };
    const [, before] = await known();
    for (const words of [
      ['apply', other, '--yes'],
      ['up', other],
    ]) {
      const refused = await fleet(...words);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain('this database has the fleet agency, not other');
      expect(refused.stderr).toContain('--take-over');
    }
    expect(await known()).toEqual(['agency', before]);
    expect(await fleet('apply', other, '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('would take its place'),
    });
    expect(await json('apply', other, '--yes', '--take-over')).toMatchObject({
      fleet: 'other',
      applied: true,
    });
    expect(await known()).toEqual(['other', before]);
    await json('apply', join(folder.path, 'fleet.yaml'), '--yes', '--take-over');
  });

  it('shows it live until somebody stops watching', async () => {
    const env = { LONGSHORE_FLEET_DATABASE: postgres.url };
    const watching = start(['fleet', 'status', '--watch', '--json'], env, undefined, folder.path);
    const { stdout } = watching.process;
    if (stdout === null) throw new Error('the output is not piped');
    let lines = 0;
    for await (const piece of stdout) {
      lines += String(piece).split('\n').length - 1;
      if (lines >= 2) break;
    }
    watching.process.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('takes what is removed out of the queue', async () => {
    await json('run', 'gamma');
    fleetYaml('30 2 * * *');
    const { stdout } = await fleet('apply', '--yes');
    expect(stdout).toContain('- workspace: gamma\n  - nightly: gamma\n');
    expect((await json('status')).assignments.map((each: { workspace: string }) => each.workspace)).toEqual([
      'beta',
      'acme',
    ]);
  });

  it('runs every pipeline of every workspace with --all', async () => {
    const nightly = (workspace: string) => ({ workspace, pipeline: 'nightly' });
    expect(await json('run', '--all')).toEqual({ queued: [nightly('acme'), nightly('beta')] });
    expect((await json('status')).counts).toMatchObject({ queued: 2 });
  });

  it('says what keeps a queued job from starting', async () => {
    await json('pause', 'acme');
    const asked = await fleet('run', '--all');
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('acme') });
    expect(asked.stderr).toMatch(
      /^acme is paused: nothing of it starts until you type: .+ fleet resume acme$/m,
    );
    expect(asked.stderr).toContain('No worker is alive: jobs start when one does.');
    expect((await fleet('pause', 'acme')).stdout).toBe('acme is paused already.\n');
    expect((await fleet('status', 'acme', '--watch')).stderr).toContain('--watch shows the whole fleet');
    await json('resume', 'acme');
    expect((await fleet('resume', 'acme')).stdout).toBe('acme is not paused.\n');
    expect((await fleet('resume', '--all')).stdout).toBe('No workspace is paused.\n');
  });

  it('does not say that something was done for a workspace without a pipeline, or asked of a worker that is dead', async () => {
    fleetYaml('30 2 * * *', ', delta: {}', '', ', for: [acme, beta]');
    await json('apply', '--yes');
    for (const words of [
      ['run', 'delta'],
      ['retry', 'delta'],
      ['run', 'delta', '--deferred'],
    ])
      expect(await fleet(...words), words.join(' ')).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringContaining('no pipeline of the fleet file is for the workspace delta.'),
      });
    expect((await fleet('status', 'delta')).stdout).toContain(
      'No pipeline of the fleet file is for this workspace.',
    );
    await query(
      `INSERT INTO longshore.worker (name, host, started_at, seen_at, jobs)
       VALUES ('dead', 'gone', now(), now() - interval '2 hours', '[]')`,
    );
    for (const [words, says] of [
      [['drain'], 'no worker is alive.'],
      [['drain', 'dead'], 'no worker dead is alive.'],
      [['drain', 'nobody'], 'no worker nobody is alive.'],
    ] as const)
      expect(await fleet(...words)).toMatchObject({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringContaining(says),
      });
    fleetYaml('30 2 * * *');
    await json('apply', '--yes');
  });

  it.each([
    [['run', 'acme', '--all'], 'Name a workspace, or type --all.'],
    [['run'], 'main.js fleet run WORKSPACE [PIPELINE]'],
    [['run', 'acmee'], 'there is no workspace "acmee"; did you mean "acme"?'],
    [['run', 'acme', 'nigtly'], 'the workspace acme has no pipeline "nigtly"; did you mean "nightly"?'],
    [['pause'], 'main.js fleet pause WORKSPACE'],
    [['pause', 'acme', '--all'], 'Name a workspace, or type --all.'],
    [['retry', 'acme', '--all'], 'Name a workspace, or type --all.'],
  ])('%j: %s', async (words, says) => {
    expect(await fleet(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  });
});
