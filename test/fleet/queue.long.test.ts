import { randomBytes } from 'node:crypto';
import PgBoss from 'pg-boss';
import { describe, expect, it } from 'vitest';
import { type PipelineRequestWithLists, requestImport } from '../../src/fleet/control/ask.ts';
import {
  pauseWorkspaces,
  queuePipelinesNow,
  resumeWorkspaces,
  retryDeadJobs,
} from '../../src/fleet/control/control.ts';
import {
  listAttempts,
  readFleetStatus,
  readWorkspaceStatus,
  toFleetStatus,
} from '../../src/fleet/control/status.ts';
import { renderFleetStatus } from '../../src/fleet/control/status-text.ts';
import { parseFleetKey } from '../../src/fleet/crypt/key.ts';
import type { ActiveJob, JobResult } from '../../src/fleet/queue/job.ts';
import { recordWorkerShutdown, requestDrain, saveHeartbeat } from '../../src/fleet/queue/worker-record.ts';
import { toCommand } from '../../src/model/command.ts';
import { usualInvocation } from '../invocation.ts';
import { applied, fleetOf, fleetSite, takeAll } from './site.ts';

const site = fleetSite();
const now = '2026-01-01T00:00:00Z';
const good: JobResult = { run: 'r1', exitCode: 0, message: null, next: null };
const bad: JobResult = { run: 'r1', exitCode: 7, message: 'nobody answers.', next: null };

const named = (...names: readonly string[]) =>
  names.map((name) => {
    const [workspace = '', pipeline = ''] = name.split(' ');
    return { workspace, pipeline };
  });

async function taken(worker = 'w1'): Promise<ActiveJob> {
  const job = await site.queue.take(worker);
  if (job === undefined) throw new Error('there was no job to take');
  return job;
}

async function want(...names: readonly string[]): Promise<void> {
  await queuePipelinesNow(site.pool, site.queue, named(...names));
}

describe('pg-boss 10 by itself', () => {
  it('lets one job of a key that is at work keep all others waiting: why we queue one of a workspace only', async () => {
    const boss = new PgBoss({
      db: { executeSql: async (text, values) => await site.pool.query(text, values) },
      schema: 'plain_boss',
      supervise: false,
      schedule: false,
    });
    boss.on('error', () => undefined);
    await boss.start();
    for (const policy of ['singleton', 'stately'] as const) {
      await boss.createQueue(policy, { name: policy, policy });
      await boss.send(policy, {}, { singletonKey: 'acme' });
      expect(await boss.fetch(policy)).toHaveLength(1);
      await boss.send(policy, {}, { singletonKey: 'acme' });
      await boss.send(policy, {}, { singletonKey: 'beta' });
      // The job of acme is found first, may not be taken, and that of beta is not looked at.
      expect(await boss.fetch(policy)).toHaveLength(0);
    }
    expect(await boss.send('stately', {}, { singletonKey: 'beta' })).toBeNull();
    await boss.stop({ graceful: false });
  });
});

describe('jobs of a workspace', () => {
  it('are taken one after the other, and do not keep other workspaces waiting', async () => {
    await applied(site, fleetOf({ 'acme one': { priority: 5 }, 'acme two': {}, 'beta one': {} }), now);
    await want('acme one', 'acme two', 'beta one');
    const first = await taken();
    expect(first).toMatchObject({ workspace: 'acme', pipeline: 'one', attempt: 1 });
    expect(await takeAll(site, 'w2')).toEqual(['beta one']);
    expect(await site.queue.finish(first, 'w1', good)).toBe(true);
    expect(await takeAll(site, 'w1')).toEqual(['acme two']);
  });

  it('are taken in the order of their priorities', async () => {
    await applied(site, fleetOf({ 'a p': { priority: -1 }, 'b p': { priority: 9 }, 'c p': {} }), now);
    await want('a p', 'b p', 'c p');
    expect(await takeAll(site, 'w')).toEqual(['b p', 'c p', 'a p']);
  });

  it('are not more in all than allowed, however many take at once', async () => {
    await applied(site, fleetOf({ 'a p': {}, 'b p': {}, 'c p': {}, 'd p': {} }), now);
    await want('a p', 'b p', 'c p', 'd p');
    const got = await Promise.all([1, 2, 3, 4].map((n) => site.queue.take(`w${n}`, { mostInAll: 2 })));
    expect(got.filter((job) => job !== undefined)).toHaveLength(2);
  });

  it('are each taken by one of many', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `w${n} p`);
    await applied(site, fleetOf(Object.fromEntries(names.map((name) => [name, {}]))), now);
    await want(...names);
    const all = await Promise.all(['x', 'y', 'z'].map((worker) => takeAll(site, worker)));
    expect(all.flat().sort()).toEqual([...names].sort());
  });

  it('continue behind what else is wanted when their slice is over, with their run', async () => {
    await applied(site, fleetOf({ 'acme long': {}, 'acme short': {} }), now);
    await want('acme long');
    const first = await taken();
    await want('acme short');
    expect(await site.queue.continueLater(first, 'w1', 'run-7')).toBe(true);
    const second = await taken();
    expect(second.pipeline).toBe('short');
    await site.queue.finish(second, 'w1', good);
    expect(await taken()).toMatchObject({ pipeline: 'long', run: 'run-7' });
  });

  const request = async (asked: PipelineRequestWithLists) =>
    await requestImport(
      {
        pool: site.pool,
        queue: site.queue,
        key: parseFleetKey(randomBytes(32).toString('base64'), { key: 'KEY' }),
      },
      { workspace: 'acme', pipeline: 'p' },
      asked,
    );
  const ask = async (kind: 'deferred' | 'continue') =>
    await request({ asked: kind === 'deferred' ? { kind } : { kind, with: 'new' }, lists: [] });
  const askWith = async (list: string) =>
    await request({
      asked: { kind: 'approve', list },
      lists: [{ name: list, bytes: Buffer.from('ada@example.com') }],
    });
  const stored = async () =>
    (await site.pool.query<{ name: string }>('SELECT name FROM longshore.list ORDER BY name')).rows.map(
      ({ name }) => name,
    );

  it('keep the lists of a request while it waits, runs or is dead, and no longer', async () => {
    await applied(site, fleetOf({ 'acme p': { kind: 'import' } }), now);
    await askWith('first.csv');
    await site.queue.maintain();
    expect(await stored()).toEqual(['first.csv']);
    const first = await taken();
    await site.queue.maintain();
    expect(await stored()).toEqual(['first.csv']);
    await site.queue.fail(first, 'w1', bad, { again: false });
    await site.queue.maintain();
    expect(await stored()).toEqual(['first.csv']);

    // Another request takes the place of the dead one.
    await askWith('second.csv');
    await site.queue.maintain();
    expect(await stored()).toEqual(['second.csv']);
    await site.queue.leaveToPerson(await taken(), 'w1', bad);
    expect(await stored()).toEqual([]);

    // An assignment that leaves the fleet takes its request along.
    await askWith('third.csv');
    await applied(site, fleetOf({ 'acme other': { kind: 'import' } }), now);
    await site.queue.maintain();
    expect(await stored()).toEqual([]);
  });

  it('keep what a user has asked for meanwhile when their slice is over, and continue after it', async () => {
    await applied(site, fleetOf({ 'acme p': { kind: 'import' } }), now);
    await want('acme p');
    const first = await taken();
    await ask('deferred');
    expect(await site.queue.continueLater(first, 'w1', 'run-7')).toBe(true);
    const second = await taken();
    expect(second).toMatchObject({ pipeline: 'p', asked: { kind: 'deferred' } });
    await site.queue.finish(second, 'w1', good);
    const third = await taken();
    expect(third).toMatchObject({ pipeline: 'p' });
    expect(third.asked).toBeUndefined();
  });

  it('of a request come before a later request when their slice is over, and neither is lost', async () => {
    await applied(site, fleetOf({ 'acme p': { kind: 'import' } }), now);
    await ask('deferred');
    const first = await taken();
    await ask('continue');
    expect(await site.queue.continueLater(first, 'w1', 'run-7')).toBe(true);
    const second = await taken();
    expect(second).toMatchObject({ asked: { kind: 'deferred' }, attempt: 1 });
    await site.queue.finish(second, 'w1', good);
    expect(await taken()).toMatchObject({ asked: { kind: 'continue' } });
  });
});

describe('a job that a machine cannot do', () => {
  const back: JobResult = { run: null, exitCode: 2, message: 'no token.', next: null, fault: 'machine' };

  it('waits as before when it is given back, and no try is counted', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    for (let n = 0; n < 10; n += 1) {
      const job = await taken();
      expect(job.attempt).toBe(1);
      expect(await site.queue.giveBack(job, 'w1', back)).toBe(true);
    }
    for (const attempt of [1, 2, 3]) {
      for (let n = 0; n < 3; n += 1) await site.queue.giveBack(await taken(), 'w1', back);
      const job = await taken();
      expect(job.attempt).toBe(attempt);
      await site.queue.fail(job, 'w1', bad, { again: true });
      await site.pool.query('UPDATE longshore_queue.job SET start_after = now()');
    }
    expect(await site.queue.take('w1')).toBeUndefined();
    expect((await readFleetStatus(site.pool)).assignments[0]).toMatchObject({ state: 'failed', failures: 3 });
  });

  it('is not taken by a worker that refuses its workspace, and the next one is', async () => {
    await applied(site, fleetOf({ 'acme p': { priority: 9 }, 'beta p': {} }), now);
    await want('acme p', 'beta p');
    expect(await site.queue.take('w1', { refused: ['acme'] })).toMatchObject({ workspace: 'beta' });
    expect(await site.queue.take('w1', { refused: ['acme'] })).toBeUndefined();
    expect(await taken('w2')).toMatchObject({ workspace: 'acme' });
  });

  it('fails once every worker that is alive has refused it for long, and waits where one may do it', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'beta p': {} }), now);
    await want('acme p', 'beta p');
    const refused = (since: string) => ({ acme: { message: 'no token.', since } });
    const hour = 3_600_000;
    const [long, short] = [
      refused(new Date(Date.now() - hour).toISOString()),
      refused(new Date().toISOString()),
    ];
    const fail = () => site.queue.failRefused(hour / 2, hour);
    expect(await fail()).toEqual([]);
    await saveHeartbeat(site.pool, { name: 'a', host: 'h', jobs: [], refused: long });
    await saveHeartbeat(site.pool, { name: 'b', host: 'h', jobs: [] });
    expect(await fail()).toEqual([]);
    await saveHeartbeat(site.pool, { name: 'b', host: 'h', jobs: [], refused: short });
    expect(await fail()).toEqual([]);
    await saveHeartbeat(site.pool, { name: 'b', host: 'h', jobs: [], refused: long });
    expect(await fail()).toMatchObject([
      { workspace: 'acme', pipeline: 'p', message: 'no machine of the fleet can do it: no token.' },
    ]);
    expect(await fail()).toEqual([]);
    const { assignments } = await readFleetStatus(site.pool);
    expect(assignments.map(({ workspace, state }) => [workspace, state]).sort()).toEqual([
      ['acme', 'failed'],
      ['beta', 'queued'],
    ]);
  });

  it('waits where the worker that can do it was heard of not long ago, as when a database that was away answers again', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    const minute = 60_000;
    const since = new Date(Date.now() - 60 * minute).toISOString();
    await saveHeartbeat(site.pool, { name: 'good', host: 'h', jobs: [] });
    await saveHeartbeat(site.pool, {
      name: 'bad',
      host: 'h',
      jobs: [],
      refused: { acme: { message: 'no token.', since } },
    });
    await site.pool.query(
      "UPDATE longshore.worker SET seen_at = now() - interval '5 minutes' WHERE name = 'good'",
    );
    expect(await site.queue.failRefused(20 * minute, minute)).toEqual([]);
    expect(await taken('good')).toMatchObject({ workspace: 'acme' });
  });

  it('waits where the worker that can do it has left in good order, as when it gets a new version', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    const minute = 60_000;
    const since = new Date(Date.now() - 60 * minute).toISOString();
    const refused = { acme: { message: 'no token.', since } };
    await saveHeartbeat(site.pool, { name: 'good', host: 'h', jobs: [] });
    await saveHeartbeat(site.pool, { name: 'bad', host: 'h', jobs: [], refused });
    await requestDrain(site.pool, 'good');
    await recordWorkerShutdown(site.pool, 'good');
    const fail = async () => await site.queue.failRefused(20 * minute, minute);
    expect(await fail()).toEqual([]);
    expect((await readFleetStatus(site.pool)).workers.map(({ worker }) => worker)).toEqual(['bad']);
    expect(await requestDrain(site.pool, undefined)).toEqual(['bad']);
    await site.pool.query('UPDATE longshore.worker SET draining = false');
    expect(await fail()).toEqual([]);
    await site.pool.query(
      "UPDATE longshore.worker SET seen_at = now() - interval '21 minutes' WHERE name = 'good'",
    );
    expect(await fail()).toMatchObject([{ workspace: 'acme', pipeline: 'p' }]);
  });
});

describe('the death of a worker', () => {
  it('is no failure of its job, until as many have died of it as the fleet allows', async () => {
    await applied(site, fleetOf({ 'acme p': {} }, { retries: 0, deaths: 3 }), now);
    await want('acme p');
    for (let n = 0; n < 2; n += 1) {
      expect((await taken('gone')).attempt).toBe(1);
      expect(await site.queue.failLost(0)).toEqual(['acme']);
    }
    expect((await readFleetStatus(site.pool)).assignments[0]).toMatchObject({ state: 'queued', failures: 0 });
    await taken('gone');
    await site.queue.failLost(0);
    expect((await readFleetStatus(site.pool)).assignments[0]).toMatchObject({
      state: 'failed',
      last: { worker: 'gone', message: expect.stringContaining('3 times in a row') },
    });
    await retryDeadJobs(site.pool, site.queue, 'all');
    expect((await taken('gone')).attempt).toBe(1);
  });

  it('leaves nothing running in the status, and leaves the count of workers', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    await saveHeartbeat(site.pool, { name: 'gone', host: 'h', jobs: [] });
    await taken('gone');
    expect((await readFleetStatus(site.pool)).counts).toMatchObject({ running: 1, queued: 0 });
    await site.pool.query("UPDATE longshore.worker SET seen_at = now() - interval '2 minutes'");
    const status = await readFleetStatus(site.pool);
    expect(status.counts).toMatchObject({ running: 0, queued: 1 });
    expect(
      renderFleetStatus(toFleetStatus(status, usualInvocation), {
        invocation: usualInvocation,
        colour: false,
        all: false,
      }),
    ).toMatch(/1 queued, 0 workers/);
  });
});

describe('a job that fails', () => {
  it('is tried again later, then given up, and taken out of the dead letter by retry', async () => {
    await applied(site, fleetOf({ 'acme p': { lateAfter: 0 }, 'acme q': {} }), now);
    await want('acme p');
    for (const attempt of [1, 2, 3]) {
      const job = await taken();
      expect(job).toMatchObject({ pipeline: 'p', attempt });
      expect(await site.queue.fail(job, 'w1', bad, { again: true })).toBe(true);
      expect(await site.queue.take('w1')).toBeUndefined();
      // The wait of a retry is over.
      await site.pool.query("UPDATE longshore_queue.job SET start_after = now() - interval '1 s'");
    }
    expect(await takeAll(site, 'w1')).toEqual([]);
    const { assignments, counts } = await readFleetStatus(site.pool);
    expect(assignments[0]).toMatchObject({
      ...{ state: 'failed', pipeline: 'p', failures: 3, last: { exitCode: 7, message: 'nobody answers.' } },
      next: toCommand('fleet', 'retry', 'acme', 'p'),
    });
    expect(counts).toMatchObject({ failed: 1, late: 1 });
    expect(await retryDeadJobs(site.pool, site.queue, named('acme p', 'acme q'))).toEqual(named('acme p'));
    expect(await retryDeadJobs(site.pool, site.queue, named('acme p'))).toEqual([]);
    const job = await taken();
    expect(job).toMatchObject({ pipeline: 'p', attempt: 1 });
    await site.queue.finish(job, 'w1', good);
    expect((await readFleetStatus(site.pool)).counts).toMatchObject({ failed: 0, late: 0 });
  });

  it('does not keep what a user asks for waiting until its own next try', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'acme q': {} }, { retryDelay: 3_600_000 }), now);
    const failed = async () => {
      expect(await site.queue.fail(await taken(), 'w1', bad, { again: true })).toBe(true);
      expect(await site.queue.take('w1')).toBeUndefined();
    };
    await want('acme p');
    await failed();
    await want('acme q');
    const asked = await taken();
    expect(asked).toMatchObject({ pipeline: 'q' });
    await site.queue.finish(asked, 'w1', good);
    await failed();
    expect(await retryDeadJobs(site.pool, site.queue, named('acme p', 'acme q'))).toEqual(named('acme p'));
    expect(await taken()).toMatchObject({ pipeline: 'p', attempt: 1 });
  });

  it('is given up at once where trying again is of no use, and lets other jobs of its workspace in', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'acme q': {} }), now);
    await want('acme p');
    const job = await taken();
    await want('acme q');
    await site.queue.fail(job, 'w1', { ...bad, exitCode: 5 }, { again: false });
    expect(await takeAll(site, 'w1')).toEqual(['acme q']);
    // A new request replaces the job that was given up.
    await want('acme p');
    expect((await readFleetStatus(site.pool)).counts.failed).toBe(0);
  });
});

describe('what is kept and shown of failures', () => {
  it('is the last twenty tries of a pipeline, the newest first', async () => {
    await applied(site, fleetOf({ 'acme p': {} }, { retries: 30 }), now);
    await want('acme p');
    for (let n = 1; n <= 21; n += 1) {
      await site.queue.fail(await taken(), 'w1', { ...bad, message: `try ${n}` }, { again: true });
      await site.pool.query("UPDATE longshore_queue.job SET start_after = now() - interval '1 s'");
    }
    const messages = (await listAttempts(site.pool, 'acme')).map(({ message }) => message);
    expect(messages).toEqual(Array.from({ length: 20 }, (_, n) => `try ${21 - n}`));
  });

  it('is of one moment, also where a try ends while it is read', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    const job = await taken();
    // The try ends right after the assignments were read.
    const pool = {
      connect: async () => {
        const client = await site.pool.connect();
        const query = client.query.bind(client);
        const release = client.release.bind(client);
        return Object.assign(client, {
          query: async (text: string, values?: unknown[]) => {
            const found = await query(text, values);
            if (text.includes('FROM longshore.assignment a'))
              await site.queue.fail(job, 'w1', bad, { again: false });
            return found;
          },
          release: (failed?: Error) => {
            Object.assign(client, { query, release });
            release(failed);
          },
        });
      },
    };
    const { status, attempts } = await readWorkspaceStatus(pool, 'acme');
    expect({ last: status.assignments[0]?.last, attempts }).toEqual({ last: null, attempts: [] });
    expect(await listAttempts(site.pool, 'acme')).toHaveLength(1);
  });

  it('is one line where the same happened to 499 workspaces, with one command for all', async () => {
    const names = Array.from({ length: 499 }, (_, n) => `w${String(n).padStart(3, '0')} p`);
    await applied(site, fleetOf(Object.fromEntries(names.map((name) => [name, {}])), { retries: 0 }), now);
    await want(...names);
    for (const _ of names) await site.queue.fail(await taken(), 'w1', bad, { again: false });
    const text = renderFleetStatus(toFleetStatus(await readFleetStatus(site.pool), usualInvocation), {
      ...{ colour: false, all: false, invocation: usualInvocation },
    });
    expect(text).toContain('499 failed');
    expect(text.match(/nobody answers\./g)).toHaveLength(1);
    expect(text).toMatch(
      /w000 p, w001 p, w002 p, w003 p and 495 more \(1 try since .*\): nobody answers\.\n +npx longshore fleet retry --all/,
    );
  });
});

describe('a worker that is lost', () => {
  it('loses its jobs at once, and can settle nothing any more', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'beta p': {} }), now);
    await want('acme p', 'beta p');
    await saveHeartbeat(site.pool, { name: 'lost', host: 'h', jobs: [] });
    await saveHeartbeat(site.pool, { name: 'well', host: 'h', jobs: [] });
    const lost = await taken('lost');
    const well = await taken('well');
    await site.pool.query("UPDATE longshore.worker SET seen_at = now() - interval '1 h' WHERE name = 'lost'");
    expect(await site.queue.failLost(30_000)).toEqual([lost.workspace]);
    expect(await site.queue.failLost(30_000)).toEqual([]);
    for (const settled of [
      site.queue.finish(lost, 'lost', good),
      site.queue.continueLater(lost, 'lost', undefined),
      site.queue.fail(lost, 'lost', bad, { again: true }),
    ]) {
      expect(await settled).toBe(false);
    }
    const again = await taken('well');
    expect(again).toMatchObject({ id: lost.id, workspace: lost.workspace, attempt: 1 });
    expect(await site.queue.finish(lost, 'lost', good)).toBe(false);
    expect(await site.queue.finish(again, 'well', good)).toBe(true);
    expect(await site.queue.finish(well, 'well', good)).toBe(true);
  });

  it('loses them also where it has left without a word', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    await saveHeartbeat(site.pool, { name: 'gone', host: 'h', jobs: [] });
    await taken('gone');
    await recordWorkerShutdown(site.pool, 'gone');
    expect(await site.queue.failLost(30_000)).toEqual(['acme']);
    expect(await takeAll(site, 'other')).toEqual(['acme p']);
  });

  it('loses a job that it does not know of, because it never heard that it got it', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'beta p': {} }), now);
    await want('acme p', 'beta p');
    const known = await taken();
    const unknown = await taken();
    await site.pool.query("UPDATE longshore.workspace SET taken_at = now() - interval '1 min'");
    await saveHeartbeat(site.pool, { name: 'w1', host: 'h', jobs: [known] });
    expect(await site.queue.failLost(30_000)).toEqual([unknown.workspace]);
    expect(await site.queue.failLost(30_000)).toEqual([]);
  });

  it('loses a job that hangs for longer than any slice', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    const job = await taken();
    await site.pool.query("UPDATE longshore_queue.job SET started_on = now() - interval '1 day'");
    await site.queue.maintain();
    expect(await site.queue.finish(job, 'w1', good)).toBe(false);
    await site.pool.query("UPDATE longshore_queue.job SET start_after = now() - interval '1 s'");
    expect(await takeAll(site, 'w2')).toEqual(['acme p']);
  });
});

describe('a pause', () => {
  it('starts nothing more, and afterwards what was queued', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'acme q': {}, 'beta p': {} }), now);
    await want('acme p', 'beta p');
    expect(await pauseWorkspaces(site.pool, site.queue, ['acme'])).toBe(1);
    await want('acme q');
    await saveHeartbeat(site.pool, { name: 'w1', host: 'h', jobs: [] });
    expect(await takeAll(site, 'w1')).toEqual(['beta p']);
    expect((await readFleetStatus(site.pool)).counts).toMatchObject({ paused: 2, running: 1 });
    expect(await resumeWorkspaces(site.pool, site.queue, ['acme'])).toBe(1);
    const first = await taken();
    await site.queue.finish(first, 'w1', good);
    expect([first.pipeline, (await taken()).pipeline].sort()).toEqual(['p', 'q']);
  });

  it('lets a job that is at work end, and does not start what was wanted besides', async () => {
    await applied(site, fleetOf({ 'acme p': {}, 'acme q': {} }), now);
    await want('acme p', 'acme q');
    const job = await taken();
    await pauseWorkspaces(site.pool, site.queue, ['acme']);
    expect(await site.queue.finish(job, 'w1', good)).toBe(true);
    expect(await takeAll(site, 'w1')).toEqual([]);
  });

  it('lets a job that is at work fail, and does not try it again meanwhile', async () => {
    await applied(site, fleetOf({ 'acme p': {} }), now);
    await want('acme p');
    await saveHeartbeat(site.pool, { name: 'w1', host: 'h', jobs: [] });
    const job = await taken('w1');
    await pauseWorkspaces(site.pool, site.queue, ['acme']);
    expect((await saveHeartbeat(site.pool, { name: 'w1', host: 'h', jobs: [] })).paused).toEqual(['acme']);
    expect(await site.queue.fail(job, 'w1', bad, { again: true })).toBe(true);
    await site.pool.query("UPDATE longshore_queue.job SET start_after = now() - interval '1 s'");
    expect(await takeAll(site, 'w1')).toEqual([]);
    await resumeWorkspaces(site.pool, site.queue, ['acme']);
    expect(await takeAll(site, 'w1')).toEqual(['acme p']);
  });
});
