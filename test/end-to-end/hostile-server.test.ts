import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getCommandName } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { isLong, some } from '../long.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, type Running, start } from './command.ts';
import { type Behaviour, behaviours, startHostileServer, tokenFor } from './hostile-server.ts';
import { run } from './in-process.ts';

// Most of them wait for limits to run out, which costs no processor.
vi.setConfig({ maxConcurrency: 8 });

const folder = temporaryFolder();
const begun: Running[] = [];
let server: Awaited<ReturnType<typeof startHostileServer>>;
/** By the limits: a folder with a finished and an unfinished run. A run remembers where its pipeline, and so its limits, are. */
const prepared = new Map<string, { path: string; finished: string; unfinished: string }>();

const short = '{ connect: 1s, answer: 1s, outage: 2s, settle: 1s, attempts: 2, concurrency: 4 }';
/** For a workspace that answers: no machine is so slow that these run out. */
const ample = '{ connect: 2m, answer: 2m, outage: 2m, settle: 1s, attempts: 2, concurrency: 4 }';
/** Nobody lives to see the end of these waits. */
const long = '{ settle: 1s, connect: 10m, answer: 10m, outage: 20m }';

/** How each command is typed that talks to a workspace; undefined for one that never does. */
const talking: Readonly<Record<string, readonly (readonly string[])[] | undefined>> = {
  check: [
    ['check', 'import.yaml', '--online'],
    ['check', 'export.yaml', '--online'],
  ],
  draft: [['draft', 'BASE_URL', '--print']],
  plan: [['plan', 'import.yaml']],
  rehearse: [['rehearse', 'import.yaml']],
  import: [
    ['import', 'import.yaml', '--fresh'],
    ['import', 'moving.yaml', '--fresh'],
  ],
  export: [['export', 'export.yaml']],
  fields: [['fields', 'import.yaml']],
  resume: [['resume', 'UNFINISHED']],
  retry: [['retry', 'FINISHED']],
  verify: [['verify', 'FINISHED']],
  undo: [['undo', 'FINISHED', '--yes']],
  status: undefined,
  runs: undefined,
  forget: undefined,
  prune: undefined,
  explain: undefined,
  completion: undefined,
  help: undefined,
  schedule: undefined,
  sandbox: undefined,
  studio: undefined,
  schema: undefined,
  fleet: undefined,
  worker: undefined,
};

const calls = Object.values(talking).flatMap((each) => each ?? []);

beforeAll(async () => {
  server = await startHostileServer();
  const all = [short, ample, long].map(async (limits, n) => {
    prepared.set(limits, await prepare(join(folder.path, `prepared-${n}`), limits));
  });
  await Promise.all(all);
});

async function prepare(path: string, limits: string) {
  writePipelines(path, limits);
  writeFileSync(join(path, 'people.csv'), 'ID,First,Email\n1,Ann,ann@example.com\n2,Bob,not an address\n');
  writeFileSync(
    join(path, 'mapping.yaml'),
    'mapping: people\nkey: ID\ncontact: { firstName: { from: First }, email: { from: Email } }\n',
  );
  writeFileSync(
    join(path, 'moving-mapping.yaml'),
    'mapping: moving\nkey: id\ncontact: { firstName: { from: firstName }, email: { from: email } }\n',
  );
  const runOf = ({ stdout }: Ended): string => JSON.parse(stdout).run;
  const finished = runOf(await inPeace(path, ['import', 'import.yaml', '--json']));
  const started = await inPeace(path, ['import', 'import.yaml', '--fresh', '--limit', '1', '--json']);
  return { path, finished, unfinished: runOf(started) };
}

afterAll(async () => {
  for (const { process } of begun) process.kill('SIGKILL');
  await server.close();
  folder.remove();
});

function writePipelines(path: string, limits: string): void {
  const source = '{ format: workspace, messages: true, tokenEnv: LONGSHORE_TOKEN, baseUrl: "BASE_URL/old" }';
  const files = {
    'import.yaml': `pipeline: people\nimport:\n  source: { format: csv, path: people.csv }\n  mapping: mapping.yaml\n  limits: ${limits}\n`,
    'moving.yaml': `pipeline: moving\nimport:\n  source: ${source}\n  mapping: moving-mapping.yaml\n  limits: ${limits}\n`,
    'export.yaml': `pipeline: nightly\nexport:\n  to: out/{date}\n  contacts: { format: ndjson }\n  messages: { format: ndjson }\n  workspaceObjects: [closingNotes]\n  limits: ${limits.replace('settle: 1s, ', '')}\n`,
  };
  mkdirSync(path, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(path, name), text.replace('BASE_URL', server.baseUrl));
  }
}

function inPeace(path: string, words: readonly string[]): Promise<Ended> {
  const args = [...words, '--work-dir', join(path, 'work')];
  return run(args, { LONGSHORE_TOKEN: 'in-peace', LONGSHORE_BASE_URL: server.baseUrl }, undefined, path);
}

/** Starts a command on its own copy of everything, for a workspace that behaves like that. */
function against(behaviour: Behaviour, words: readonly string[], limits: string): Running {
  const from = prepared.get(limits);
  if (from === undefined) throw new Error(`nothing was prepared with ${limits}`);
  const copy = join(folder.path, `copy-${begun.length}`);
  cpSync(from.path, copy, { recursive: true });
  const typed = words.map((word) =>
    word
      .replace('BASE_URL', server.baseUrl)
      .replace('UNFINISHED', from.unfinished)
      .replace('FINISHED', from.finished),
  );
  const token = tokenFor(behaviour);
  const env = { LONGSHORE_TOKEN: token, LONGSHORE_SOURCE_TOKEN: token, LONGSHORE_BASE_URL: server.baseUrl };
  const running = start([...typed, '--work-dir', join(copy, 'work')], env, undefined, copy);
  begun.push(running);
  return running;
}

it('says of every command whether it talks to a workspace', () => {
  expect(Object.keys(talking).sort()).toEqual(commands.map(getCommandName).sort());
});

const unreachable = 7;

/** What a behaviour comes to, for any command: nobody is there, or what is there cannot be trusted. */
const ends: Readonly<Record<Behaviour, readonly number[]>> = {
  'a 503 that asks for 31 years': [unreachable],
  'a 429 that asks for 31 years': [unreachable],
  'a body that drips': [unreachable],
  silence: [unreachable],
  'a list without end': [1, 3],
  'JSON that is deeply nested': [0, 1, 2, 3],
  'JSON that breaks off': [unreachable],
  'a redirect': [1, 2],
  'a connection that breaks': [unreachable],
  'a 449 without end': [1],
};

/** Whether it is waited for as long as an outage may last. */
function isWaitedOut(behaviour: Behaviour): boolean {
  return ends[behaviour].includes(unreachable) || behaviour === 'a 449 without end';
}

const dripping: Behaviour = 'a body that drips';

/** Every behaviour meets every command in the long tests, and one of them in the others. */
const meetings = Object.keys(behaviours)
  .filter(isBehaviour)
  .flatMap((behaviour, n) => {
    const met = isLong ? calls : [calls[n % calls.length] ?? []];
    return met.map((words) => [behaviour, words.join(' '), words] as const);
  });

/** What is no JSON at the first contact with a source says that its address is wrong. */
function endsOf(behaviour: Behaviour, words: readonly string[]): readonly number[] {
  return behaviour === 'JSON that breaks off' && words.includes('moving.yaml') ? [2] : ends[behaviour];
}

it.concurrent.each(meetings)('%s ends %s within its limits, with a sentence', async (behaviour, _, words) => {
  const limits = isWaitedOut(behaviour) ? short : ample;
  const { code, signal, stdout, stderr } = await against(behaviour, words, limits).ended;
  expect(signal).toBeNull();
  expect(endsOf(behaviour, words), stdout + stderr).toContain(code);
  expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
  if (code !== 0 && code !== 3) expect(stdout + stderr).toMatch(/error: |ERROR/);
});

function isBehaviour(name: string): name is Behaviour {
  return name in behaviours;
}

it.concurrent.each(some(calls, 2).map((words) => [words.join(' '), words] as const))(
  '%s says what it waits for, and SIGTERM ends it within ten seconds',
  async (_, words) => {
    const running = against(dripping, words, long);
    const said: string[] = [];
    running.process.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const waits = /Waiting until (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d: no answer from http\S+ yet/;
    await vi.waitFor(() => expect(said.join('')).toMatch(waits), { timeout: 60_000, interval: 50 });
    running.process.kill('SIGTERM');
    const killedAt = Date.now();
    expect(await running.ended).toMatchObject({ code: 143, signal: null });
    expect(Date.now() - killedAt).toBeLessThan(10_000);
  },
);
