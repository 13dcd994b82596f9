import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeLease } from '../../src/fleet/lease/lease.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { type FleetDatabase, fleetDatabase } from './fleet-database.ts';
import { rows, shippedImport } from './shipped-import.ts';

let database: FleetDatabase;
beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(() => database.remove());

describe('a job that stops between its commit and the socket for longer than its lease', () => {
  it.each([
    ['right after a commit was shipped', 'committed', 4],
    ['right after another one', 'committed', 11],
    ['right before a request leaves', 'leaving', 40],
    ['right before another one', 'leaving', 70],
  ] as const)('sends nothing when it continues %s; another machine ends its run', async (_, place, nth) => {
    const workspace = `stopped ${place} ${nth}`;
    const { sandbox, start } = await shippedImport(database.postgres.url, workspace);
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
    const { sandbox, start } = await shippedImport(database.postgres.url, 'two workers');
    const [one, two] = [start(), start()];
    const ended = await Promise.all([one.said(), two.said()]);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(ended.map(({ from }) => from).sort()).toEqual(['new', 'restored']);
    expect(sandbox.contacts()).toHaveLength(rows);
    for (const { id } of sandbox.contacts()) expect(sandbox.comments(id)).toHaveLength(1);
  });

  it('do so over a restart of the database', async () => {
    const { sandbox, start } = await shippedImport(database.postgres.url, 'restarted database');
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
