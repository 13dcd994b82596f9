import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { startSandbox } from '../../../dist/sandbox/index.js';
import { figure, median, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { queueCost } from '../run/queue-cost.mjs';
import { withPostgres } from '../server/start-postgres.mjs';

const main = fileURLToPath(new URL('../../../dist/command/main.js', import.meta.url));
const contactsEach = 5;
const messagesEach = 3;
const parts = 10;

/** A night of scheduled exports of small workspaces on two workers and a bad one on this machine: what is there, when it began, and what the queue costs. */
export async function measureNight({ night }) {
  return await withPostgres(async (url) => {
    const cost = await queueCost(url, night.workspaces);
    const played = await withFolder((folder) => playNight(folder, { url, ...night }));
    const { workspaces } = night;
    const of = `${rounded(workspaces)} exports in ${rounded(played.seconds)} s, ${night.spreadMinutes} minutes spread, three workers with ${night.perWorker} jobs at once each, one of which has no token of every second workspace`;
    const zero = { digits: 0, atMost: 0 };
    return [
      figure({ name: 'exports missing', value: played.missing, ...zero, note: of }),
      figure({ name: 'exports there twice', value: played.twice, ...zero }),
      figure({ name: 'exports with other people or messages', value: played.wrong, ...zero }),
      figure({ name: 'jobs begun before their time', value: played.early, ...zero }),
      figure({ name: 'jobs that failed once', value: played.failed, digits: 0 }),
      figure({ name: 'done by the bad worker', value: played.byBad, digits: 0 }),
      figure({
        name: 'least and most in a tenth of the spread',
        value: Math.min(...played.tenths),
        digits: 0,
        note: `due in each tenth: ${played.tenths.join(', ')}`,
      }),
      figure({ name: 'begun after its time, median', value: median(played.late), unit: ' s', digits: 1 }),
      figure({
        name: 'begun after its time, longest',
        value: Math.max(...played.late),
        unit: ' s',
        digits: 1,
      }),
      figure({
        name: "the queue's own cost of a job",
        value: cost.ms,
        unit: ' ms',
        digits: 2,
        note: `due, sent, taken and settled, one after the other, each commit on the disk; ${rounded(cost.cpuMs, 2)} ms of them processor time of the worker`,
      }),
    ];
  });
}

async function playNight(folder, { url, workspaces, sandboxes: many, spreadMinutes, perWorker }) {
  const names = Array.from({ length: workspaces }, (_, n) => `w${n}`);
  // Few sandboxes for many workspaces: they differ in their tokens.
  const sandboxes = await Promise.all(Array.from({ length: many }, () => openSandbox(names)));
  const workers = [];
  try {
    const env = {
      LONGSHORE_FLEET_DATABASE: url,
      LONGSHORE_FLEET_KEY: randomBytes(32).toString('base64'),
    };
    const bases = names.map((_, n) => sandboxes[n % many].baseUrl);
    await typed(['fleet', 'init'], env);
    const file = writeFleet(folder, { names, bases, spreadMinutes, perWorker });
    await typed(['fleet', 'apply', file, '--yes'], env);
    const pool = await connectDatabase(url);
    const due = await dueTimes(pool);
    const files = { one: file, two: file, bad: withoutTokens(folder, names) };
    for (const [name, own] of Object.entries(files))
      workers.push(start(['worker', own, '--work-dir', join(folder, name)], env));
    await untilDone(pool, workspaces, Math.max(...due.values()));
    const { rows } = await pool.query(
      'SELECT workspace, last_started_at AS began, last_success_at AS ended, failures FROM longshore.assignment',
    );
    await pool.end();
    for (const worker of workers) await worker.drain();
    const tries = workers.flatMap(({ said }) => said().match(/: taken/g) ?? []).length;
    return {
      ...toldOf(rows, due, spreadMinutes * 60_000),
      ...foundIn(folder, names),
      byBad:
        workers
          .at(-1)
          ?.said()
          .match(/: done/g)?.length ?? 0,
      failed: tries - workspaces,
    };
  } finally {
    for (const worker of workers) worker.kill();
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  }
}

async function openSandbox(tokens) {
  const contacts = Array.from({ length: contactsEach }, (_, n) => ({
    ...{ id: n + 1, firstName: `Ada${n}`, email: `ada${n}@example.com` },
  }));
  const sandbox = await startSandbox({ rate: 'off', tokens, seed: { contacts }, logSize: 100 });
  const messages = contacts.flatMap(({ id: contactId }) =>
    Array.from({ length: messagesEach }, (_, n) => ({
      ...{ messageId: contactId * 100 + n, contactId, channelId: 1, traffic: 'incoming' },
      ...{ message: { type: 'text', text: `message ${n}` }, status: [] },
    })),
  );
  sandbox.add({ messages });
  return sandbox;
}

/** All are due from the next minute but one on. */
function writeFleet(folder, { names, bases, spreadMinutes, perWorker }) {
  const json = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
  const from = new Date(Math.ceil(Date.now() / 60_000 + 0.5) * 60_000);
  json('nightly.yaml', {
    pipeline: 'nightly',
    export: {
      to: '{workspace}/{date}',
      contacts: { format: 'csv' },
      messages: { format: 'ndjson', incremental: true },
    },
  });
  for (const each of ['out', 'tokens']) mkdirSync(join(folder, each));
  for (const name of names) writeFileSync(join(folder, 'tokens', name), name, { mode: 0o600 });
  json('fleet.yaml', {
    fleet: 'night',
    defaults: { tokenFile: 'tokens/{workspace}' },
    workspaces: Object.fromEntries(names.map((name, n) => [name, { baseUrl: bases[n] }])),
    pipelines: {
      nightly: {
        file: 'nightly.yaml',
        schedule: {
          cron: `${from.getUTCMinutes()} ${from.getUTCHours()} * * *`,
          timezone: 'UTC',
          spread: `${spreadMinutes}m`,
        },
      },
    },
    places: { outputs: 'out' },
    limits: { perMachine: perWorker },
  });
  return join(folder, 'fleet.yaml');
}

/** The fleet file of a machine that lacks the token of every second workspace. */
function withoutTokens(folder, names) {
  const own = join(folder, 'bad-machine');
  mkdirSync(join(own, 'tokens'), { recursive: true });
  symlinkSync(join(folder, 'out'), join(own, 'out'));
  for (const name of ['fleet.yaml', 'nightly.yaml']) copyFileSync(join(folder, name), join(own, name));
  for (const name of names.filter((_, n) => n % 2 === 0))
    writeFileSync(join(own, 'tokens', name), name, { mode: 0o600 });
  return join(own, 'fleet.yaml');
}

async function dueTimes(pool) {
  const { rows } = await pool.query('SELECT workspace, next_at FROM longshore.assignment');
  return new Map(rows.map(({ workspace, next_at: at }) => [workspace, at.getTime()]));
}

/** Waits until all have succeeded, and no longer than an hour after the last was due. */
async function untilDone(pool, workspaces, last) {
  for (;;) {
    const { rows } = await pool.query(
      'SELECT count(*)::int AS n FROM longshore.assignment WHERE last_success_at IS NOT NULL',
    );
    if (rows[0].n === workspaces || Date.now() > last + 3_600_000) return;
    await wait(1_000);
  }
}

function toldOf(rows, due, spreadMs) {
  const times = [...due.values()];
  const first = Math.floor(Math.min(...times) / 60_000) * 60_000;
  const tenths = Array.from({ length: parts }, (_, n) => {
    const [from, to] = [first + (n * spreadMs) / parts, first + ((n + 1) * spreadMs) / parts];
    return times.filter((at) => at >= from && at < to).length;
  });
  const late = rows.flatMap(({ workspace, began }) =>
    began === null ? [] : [(began.getTime() - due.get(workspace)) / 1_000],
  );
  const ended = rows.flatMap((row) => (row.ended === null ? [] : [row.ended.getTime()]));
  return {
    tenths,
    late,
    early: late.filter((seconds) => seconds < 0).length,
    seconds: (Math.max(...ended) - Math.min(...times)) / 1_000,
  };
}

/** What stands in the places: each export that has a manifest, and what it holds. */
function foundIn(folder, names) {
  const found = names.map((name) => {
    const place = join(folder, 'out', name);
    const complete = existsSync(place)
      ? readdirSync(place).filter(
          (each) =>
            each !== 'latest' && !each.startsWith('.') && existsSync(join(place, each, 'manifest.json')),
        )
      : [];
    return complete.map(
      (each) => JSON.parse(readFileSync(join(place, each, 'manifest.json'), 'utf8')).counts,
    );
  });
  const isRight = ({ contacts, messages }) =>
    contacts === contactsEach && messages === contactsEach * messagesEach;
  return {
    missing: found.filter(({ length }) => length === 0).length,
    twice: found.filter(({ length }) => length > 1).length,
    wrong: found.flat().filter((counts) => !isRight(counts)).length,
  };
}

function start(args, env) {
  let text = '';
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      text += piece;
    });
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    said: () => text,
    ended,
    kill: () => child.kill('SIGKILL'),
    async drain() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${text.slice(-2_000)}`);
    },
  };
}

async function typed(args, env) {
  const command = start(args, env);
  const code = await command.ended;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${command.said()}`);
}
