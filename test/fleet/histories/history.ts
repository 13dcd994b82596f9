import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import * as z from 'zod';
import { parseFleetKey } from '../../../src/fleet/crypt/key.ts';
import { deadLetterQueueName, queueSchemaName } from '../../../src/fleet/queue/names.ts';
import { restoreJournal } from '../../../src/fleet/ship/restore.ts';
import { listRuns, listUncertainSteps, openJournalDatabase } from '../../../src/journal/index.ts';
import { run } from '../../end-to-end/in-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { unmount } from '../bad-machines.ts';
import { startPostgres } from '../postgres.ts';
import { Machine } from '../worker-process.ts';
import { badMachinesOf } from './bad-machines.ts';
import { Chaos, leaseMs, settleMs } from './chaos.ts';
import { HistoryWorkspace, kindOf, mapping } from './workspace.ts';

/** How large a history is, and how long things take in it. */
export interface HistorySize {
  readonly workspaces: number;
  readonly machines: number;
  /** Each has an import and an export of every workspace. */
  readonly rounds: number;
  readonly rows: number;
  readonly messages: number;
  /** Every fourth stop of a machine lasts that long instead of a few seconds, while everything else goes on; 0 for none. */
  readonly stopMs: number;
}

/** What happened in a history, for the log. */
export interface HistoryTold {
  readonly bad: readonly string[];
  readonly badKilled: number;
  readonly jobs: number;
  readonly killed: number;
  readonly stopped: number;
  readonly disksLost: number;
  readonly restarts: number;
  readonly uncertain: number;
  readonly seconds: number;
}

const limits = {
  perMachine: 2,
  slice: '8s',
  lease: `${leaseMs}ms`,
  settle: `${settleMs}ms`,
  retries: 50,
  retryDelay: '1s',
};

/** Plays a history that its seed decides, as far as a seed can decide when a process dies, and checks how it ended. */
export async function playHistory(seed: number, size: HistorySize): Promise<HistoryTold> {
  const begunAt = Date.now();
  const folder = temporaryFolder();
  const postgres = await startPostgres();
  const key = randomBytes(32).toString('base64');
  const env = {
    LONGSHORE_FLEET_DATABASE: postgres.url,
    LONGSHORE_FLEET_KEY: key,
    LONGSHORE_TOKEN: 'sandbox',
  };
  const inputs = join(folder.path, 'in');
  const outputs = join(folder.path, 'out');
  for (const path of [inputs, outputs]) mkdirSync(path);
  const workspaces = await Promise.all(
    Array.from({ length: size.workspaces }, (_, n) => HistoryWorkspace.open(`ws${n}`, inputs)),
  );
  const fleetFile = join(folder.path, 'fleet.yaml');
  writeFleet(folder.path, workspaces);
  const machines = Array.from(
    { length: size.machines },
    (_, n) => new Machine(join(folder.path, `machine${n}`), [fleetFile], env),
  );
  const bad = badMachinesOf(seed).flatMap(({ what, says, make }, n) => {
    const made = make({ folder: folder.path, fleetFile });
    if (made === undefined) return [];
    const { workDir = join(folder.path, `bad${n}`), file = fleetFile } = made;
    return [{ what, says, machine: new Machine(workDir, [file], { ...env, ...made.env }) }];
  });
  const all = { good: machines, bad: bad.map(({ machine }) => machine) };
  const chaos = new Chaos(seed, all, size.stopMs, () => postgres.restart());
  try {
    for (const workspace of workspaces) workspace.grow(size.rows, size.messages);
    await longshore(['fleet', 'init'], env);
    await longshore(['fleet', 'apply', fleetFile, '--yes'], env);
    const first = await askFor(postgres.url, workspaces, env);
    // The first jobs wait where only bad machines are, until each of these has said what is wrong with it.
    for (const { machine } of bad) machine.start();
    for (const { says, machine } of bad) await machine.printed(new RegExp(`(${says.source})`));
    for (const machine of machines) machine.start();
    const raging = chaos.rage();
    await untilDone(postgres.url, first);
    for (let round = 1; round < size.rounds; round += 1) {
      for (const workspace of workspaces) workspace.grow(size.rows, size.messages);
      await untilDone(postgres.url, await askFor(postgres.url, workspaces, env));
    }
    // Once more where nothing is new: an increment without a message.
    const again = workspaces.slice(0, Math.floor(size.workspaces / 2));
    await untilDone(postgres.url, await askFor(postgres.url, again, env, 'nightly'));
    await chaos.end();
    await raging;
    for (const workspace of workspaces) {
      const missing = workspace.expectExact();
      const listed = await uncertainOf(postgres.url, workspace.name, key, folder.path);
      expect(listed, `${workspace.name} lists what may be missing`).toEqual(expect.arrayContaining(missing));
      workspace.expectCreatedOnce();
      expectExportedOnce(join(outputs, workspace.name), workspace);
      chaos.told.uncertain += listed.length;
    }
    for (const machine of [...machines, ...all.bad]) {
      expect(await machine.drain()).toBe(0);
      expect(machine.said).not.toMatch(/is newer than that of|gone different ways/);
    }
    for (const { what, machine } of bad)
      expect(machine.said, `a machine ${what} ends no job`).not.toMatch(jobEnded);
    const jobs = 2 * size.rounds * size.workspaces + again.length;
    const kinds = bad.map(({ what }) => what);
    return { bad: kinds, ...chaos.told, jobs, seconds: Math.round((Date.now() - begunAt) / 1_000) };
  } catch (error) {
    const said = [...machines, ...all.bad]
      .map(({ workDir, said: text }) => `── ${workDir}\n${text.slice(-6_000)}`)
      .join('\n');
    throw new Error(`history ${seed} failed: ${error instanceof Error ? error.message : error}\n${said}`, {
      cause: error,
    });
  } finally {
    await chaos.end();
    await Promise.all([...machines, ...all.bad].map((machine) => machine.kill()));
    for (const machine of all.bad) unmount(machine);
    await Promise.all(workspaces.map(({ sandbox }) => sandbox.close()));
    await postgres.remove();
    folder.remove();
  }
}

function writeFleet(folder: string, workspaces: readonly HistoryWorkspace[]): void {
  const yaml = (name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  const source = { format: 'csv', path: '{workspace}.csv' };
  const extensions = { attachTags: { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' } };
  yaml('load.yaml', {
    pipeline: 'load',
    import: { source, mapping: 'mapping.yaml', extensions, limits: { settle: '3s', concurrency: 8 } },
  });
  yaml('nightly.yaml', {
    pipeline: 'nightly',
    export: {
      to: '{workspace}/{date}',
      contacts: { format: 'csv' },
      messages: { format: 'ndjson', incremental: true },
    },
  });
  yaml('fleet.yaml', {
    fleet: 'histories',
    workspaces: Object.fromEntries(
      workspaces.map(({ name, sandbox }) => [
        name,
        { baseUrl: sandbox.baseUrl, tokenEnv: 'LONGSHORE_TOKEN' },
      ]),
    ),
    pipelines: { load: { file: 'load.yaml' }, nightly: { file: 'nightly.yaml' } },
    places: { inputs: 'in', outputs: 'out' },
    limits,
  });
}

async function longshore(args: readonly string[], env: Record<string, string>): Promise<void> {
  const ended = await run(args, env);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
}

/** What a worker prints of a job that it did not give back. */
const jobEnded = /: (done|failed|continues later|broke off|waits for)/;

/** The pipelines of workspaces that were asked for, all of them unless named, and when. */
interface Asked {
  readonly since: Date;
  readonly names: readonly string[];
  readonly pipelines: readonly string[];
}

/** Has these pipelines of each workspace run once. */
async function askFor(
  url: string,
  workspaces: readonly HistoryWorkspace[],
  env: Record<string, string>,
  ...pipelines: readonly string[]
): Promise<Asked> {
  const since = await untilAsked<Date>(url, 'SELECT now() AS value');
  const names = workspaces.map(({ name }) => name);
  for (const name of names) await untilRun([name, ...pipelines], env);
  return { since, names, pipelines };
}

/** Waits until all have come to their end; none may be given up, as a good machine can do each. */
async function untilDone(url: string, { since, names, pipelines }: Asked): Promise<void> {
  const open = `SELECT count(*)::int AS value FROM longshore.assignment a JOIN longshore.workspace w ON w.name = a.workspace
    WHERE a.workspace = ANY($2) AND (cardinality($3::text[]) = 0 OR a.pipeline = ANY($3))
      AND (a.wanted_at IS NOT NULL OR w.job IS NOT NULL OR a.last_success_at IS NULL OR a.last_success_at < $1)`;
  const deadline = Date.now() + 10 * 60_000;
  do {
    if (Date.now() > deadline) throw new Error('the round did not end within ten minutes');
    await wait(200);
    expect(await untilAsked<unknown>(url, givenUp), 'jobs that were given up').toEqual([]);
  } while ((await untilAsked<number>(url, open, [since, names, pipelines])) > 0);
}

const givenUp = `SELECT coalesce(jsonb_agg(jsonb_build_object('job', d.data, 'end', a.last_run)), '[]') AS value
  FROM ${queueSchemaName}.job d JOIN longshore.assignment a
    ON a.workspace = d.data->>'workspace' AND a.pipeline = d.data->>'pipeline' WHERE d.name = '${deadLetterQueueName}'`;

/** The database may be restarting at this very moment. */
async function untilRun(words: readonly string[], env: Record<string, string>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const ended = await run(['fleet', 'run', ...words], env);
    if (ended.code === 0) return;
    if (tries > 20) throw new Error(ended.stderr);
    await wait(300);
  }
}

async function untilAsked<T>(url: string, sql: string, values: readonly unknown[] = []): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ value: T }>(sql, [...values]);
      const [row] = rows;
      if (row === undefined) throw new Error('no row');
      return row.value;
    } catch (error) {
      if (tries > 100) throw error;
      await wait(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The comments of a workspace that its journal, as any machine would restore it, lists as uncertain. */
async function uncertainOf(url: string, name: string, key: string, folder: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url });
  const workDir = join(folder, 'restored', name);
  mkdirSync(workDir, { recursive: true });
  try {
    expect(await restoreJournal(pool, name, workDir, parseFleetKey(key, {}))).toBe(true);
  } finally {
    await pool.end();
  }
  const file = openJournalDatabase(workDir);
  try {
    return listRuns(file, 1_000).flatMap(({ number }) =>
      listUncertainSteps(file, number, { seq: 0, name: '', item: '' }, 1_000).map(
        ({ key: id, intent }) => `person${id}@example.com/${kindOf(textOf.parse(intent).text)}`,
      ),
    );
  } finally {
    file.close();
  }
}

const textOf = z.looseObject({ text: z.string() });

/** Every message is in exactly one complete export. */
function expectExportedOnce(folder: string, { name, messages }: HistoryWorkspace): void {
  const complete = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .filter((path) => existsSync(join(path, 'manifest.json')));
  const exported = complete.flatMap((path) =>
    readFileSync(join(path, 'messages.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): number => JSON.parse(line).id),
  );
  expect(
    exported.sort((a, b) => a - b),
    `${name}: messages`,
  ).toEqual([...messages].sort((a, b) => a - b));
}
