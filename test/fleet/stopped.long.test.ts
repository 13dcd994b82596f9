import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { takeLease } from '../../src/fleet/lease/lease.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { type FleetDatabase, fleetDatabase, newKeyText } from './fleet-database.ts';
import { folder } from './shipped-journal.ts';

const script = fileURLToPath(new URL('processes/import-shipped.mjs', import.meta.url));

let database: FleetDatabase;
beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(() => database.remove());

const saidSchema = z.object({
  stopped: z.literal(true).optional(),
  from: z.string().optional(),
  exitCode: z.int().optional(),
  rows: z.record(z.string(), z.number()).optional(),
  error: z.object({ reason: z.string(), message: z.string() }).optional(),
});
type Said = z.output<typeof saidSchema>;

const rows = 60;
const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
comments: [{ name: origin, text: "Record {Id}" }]
`;

/** An import of a few people into a sandbox, as a job of a fleet, on as many machines as a test likes. */
async function atFleet(workspace: string) {
  const sandbox = await startSandbox({ strict: true, rate: 'off', faults: { latency: { min: 5, max: 20 } } });
  onTestFinished(() => sandbox.close());
  const path = folder();
  const lines = Array.from({ length: rows }, (_, n) => `${n},Ada${n},ada${n}@example.com`);
  writeFileSync(join(path, 'people.csv'), `Id,Name,Email\n${lines.join('\n')}\n`);
  writeFileSync(join(path, 'mapping.yaml'), mapping);
  const pipeline = {
    pipeline: 'people',
    import: {
      source: { format: 'csv', path: 'people.csv' },
      mapping: 'mapping.yaml',
      limits: { concurrency: 4, settle: '0s' },
    },
  };
  writeFileSync(join(path, 'pipeline.yaml'), JSON.stringify(pipeline));
  const key = newKeyText();
  const begun: Job[] = [];
  onTestFinished(() => {
    for (const job of begun) job.process.kill('SIGKILL');
  });
  const start = (stopAt?: { readonly place: 'committed' | 'leaving'; readonly nth: number }): Job => {
    const job = {
      ...{ url: database.postgres.url, workDir: folder(), workspace, key, baseUrl: sandbox.baseUrl, stopAt },
      ...{ pipeline: join(path, 'pipeline.yaml'), leaseMs: 3_000 },
    };
    const started = new Job(
      spawn(process.execPath, [script, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    begun.push(started);
    return started;
  };
  return { sandbox, start };
}

class Job {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(process: ChildProcessByStdio<null, Readable, null>) {
    this.process = process;
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  /** What it says next: that it stops itself now, or how it ended. */
  async said(): Promise<Said> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('the job ended without a word');
    return saidSchema.parse(JSON.parse(value));
  }
}

describe('a job that stops between its commit and the socket for longer than its lease', () => {
  it.each([
    ['right after a commit was shipped', 'committed', 4],
    ['right after another one', 'committed', 11],
    ['right before a request leaves', 'leaving', 40],
    ['right before another one', 'leaving', 70],
  ] as const)('sends nothing when it continues %s; another machine ends its run', async (_, place, nth) => {
    const workspace = `stopped ${place} ${nth}`;
    const { sandbox, start } = await atFleet(workspace);
    const stopped = start({ place, nth });
    expect(await stopped.said()).toEqual({ stopped: true });
    const times = { leaseMs: 60_000, settleMs: 500 };
    const other = await takeLease(database.pool, workspace, 'test', times, new AbortController().signal, {
      clock: systemClock,
    });
    const before = sandbox.log.length;
    stopped.process.kill('SIGCONT');
    expect((await stopped.said()).error).toEqual({
      reason: 'locked',
      message: expect.stringContaining(
        'has lost its lease on the workspace, so nothing more was sent; another machine continues',
      ),
    });
    expect(sandbox.log.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([]);

    await other.release();
    const next = start();
    const ended = await next.said();
    expect(ended.from).toBe('restored');
    expect(sandbox.contacts()).toHaveLength(rows);
    // Whether a comment had left that was about to, no other machine can know: it is listed, and not sent twice.
    const uncertain = ended.rows?.uncertain ?? 0;
    expect(ended.exitCode).toBe(uncertain === 0 ? 0 : 3);
    const comments = sandbox.contacts().map(({ id }) => sandbox.comments(id).length);
    expect(Math.max(...comments)).toBe(1);
    expect(comments.filter((n) => n === 0).length).toBeLessThanOrEqual(uncertain);
    // As many as are under way at once.
    expect(uncertain).toBeLessThanOrEqual(5);
  });
});

describe('two machines that want to work on one workspace', () => {
  it('do so one after the other', async () => {
    const { sandbox, start } = await atFleet('two workers');
    const [one, two] = [start(), start()];
    const ended = await Promise.all([one.said(), two.said()]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ended.map(({ from }) => from).sort()).toEqual(['new', 'restored']);
    expect(sandbox.contacts()).toHaveLength(rows);
    for (const { id } of sandbox.contacts()) expect(sandbox.comments(id)).toHaveLength(1);
  });

  it('do so over a restart of the database', async () => {
    const { sandbox, start } = await atFleet('restarted database');
    const one = start();
    await expect.poll(() => sandbox.contacts().length, { timeout: 60_000 }).toBeGreaterThan(5);
    await database.postgres.restart();
    const two = start();
    const ended = await Promise.all([one.said(), two.said()]);
    // A restart may take longer than a lease: then the second one does the rest.
    expect(ended.at(-1)?.exitCode).toBe(0);
    expect(sandbox.contacts()).toHaveLength(rows);
    for (const { id } of sandbox.contacts()) expect(sandbox.comments(id)).toHaveLength(1);
  });
});
