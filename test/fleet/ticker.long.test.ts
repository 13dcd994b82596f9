import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { pauseWorkspaces, resumeWorkspaces } from '../../src/fleet/control/control.ts';
import { runSchedulerTick } from '../../src/fleet/schedule/ticker.ts';
import { applied, everyNight, fleetOf, fleetSite, takeAll } from './site.ts';

const site = fleetSite();
const applyAt = '2026-01-01T12:00:00Z';

const at = (time: string) => () => Promise.resolve(Date.parse(time));

/** Lets nobody pass until so many have come. */
function meeting(of: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let come = 0;
  return async () => {
    come += 1;
    if (come >= of) open();
    await all;
  };
}

async function nextTimes(): Promise<readonly string[]> {
  const { rows } = await site.pool.query<{ next_at: Date }>(
    'SELECT next_at FROM longshore.assignment ORDER BY workspace',
  );
  return rows.map(({ next_at }) => next_at.toISOString());
}

describe('the ticker', () => {
  it('sends one job when a time has come, and none before', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-02T01:59:59Z'))).toEqual({
      due: 0,
      sent: 0,
    });
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-02T02:00:00Z'))).toEqual({
      due: 1,
      sent: 1,
    });
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-02T02:00:01Z'))).toEqual({
      due: 0,
      sent: 0,
    });
    expect(await nextTimes()).toEqual(['2026-01-03T02:00:00.000Z']);
  });

  it('makes up once for twelve times that were missed', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-13T11:00:00Z'))).toEqual({
      due: 1,
      sent: 1,
    });
    expect(await nextTimes()).toEqual(['2026-01-14T02:00:00.000Z']);
    expect(await takeAll(site, 'w')).toEqual(['acme nightly']);
    const { rows } = await site.pool.query('SELECT due_at FROM longshore.assignment');
    expect(rows[0]?.due_at).toEqual(new Date('2026-01-02T02:00:00Z'));
  });

  it('hands out the first of many while the others are noted', async () => {
    const names = Array.from({ length: 501 }, (_, n) => `w${n} nightly`);
    const schedule = everyNight;
    await applied(site, fleetOf(Object.fromEntries(names.map((name) => [name, { schedule }]))), applyAt);
    const waiting: number[] = [];
    const clock = async () => {
      const { rows } = await site.pool.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM longshore.workspace WHERE job IS NOT NULL',
      );
      waiting.push(rows[0]?.n ?? 0);
      return Date.parse('2026-01-02T02:00:00Z');
    };
    expect(await runSchedulerTick(site.pool, site.queue, clock)).toEqual({ due: 501, sent: 501 });
    expect(waiting).toEqual([0, 500]);
  });

  it('sends one job each, however many tick at once', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `w${n} nightly`);
    const schedule = everyNight;
    await applied(site, fleetOf(Object.fromEntries(names.map((name) => [name, { schedule }]))), applyAt);
    const meet = meeting(4);
    const clock = async () => {
      // All of them look at once.
      await meet();
      return Date.parse('2026-01-02T02:00:00Z');
    };
    const ticks = await Promise.all([1, 2, 3, 4].map(() => runSchedulerTick(site.pool, site.queue, clock)));
    expect(ticks.reduce((sum, { due }) => sum + due, 0)).toBe(40);
    expect(ticks.reduce((sum, { sent }) => sum + sent, 0)).toBe(40);
    expect([...(await takeAll(site, 'w'))].sort()).toEqual([...names].sort());
  });

  it('loses nothing where it ends between noting and sending', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    const { queue, pool } = site;
    const killed = runSchedulerTick(
      pool,
      Object.assign(Object.create(queue), { dispatch: () => Promise.reject(new Error('killed')) }),
      at('2026-01-02T02:00:00Z'),
    );
    await expect(killed).rejects.toThrow('killed');
    expect(await runSchedulerTick(pool, queue, at('2026-01-02T02:00:01Z'))).toEqual({ due: 0, sent: 1 });
  });

  it('loses nothing where it ends while it notes', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    // The connection is cut after the clock was read, before anything is written.
    const cut = async (client: PoolClient) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      client.on('error', () => undefined);
      await site.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      return Date.parse('2026-01-02T02:00:00Z');
    };
    await expect(runSchedulerTick(site.pool, site.queue, cut)).rejects.toThrow();
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-02T02:00:01Z'))).toEqual({
      due: 1,
      sent: 1,
    });
  });

  it('does not send again what still waits or is at work, but once afterwards', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    await runSchedulerTick(site.pool, site.queue, at('2026-01-02T02:00:00Z'));
    const job = await site.queue.take('w');
    expect(job).toBeDefined();
    for (const day of ['03', '04', '05']) {
      expect(await runSchedulerTick(site.pool, site.queue, at(`2026-01-${day}T02:00:00Z`))).toEqual({
        due: 1,
        sent: 0,
      });
    }
    if (job !== undefined) {
      await site.queue.finish(job, 'w', { run: 'r', exitCode: 0, message: null, next: null });
    }
    expect(await takeAll(site, 'w')).toEqual(['acme nightly']);
  });

  it('makes up once for what a pause has kept back', async () => {
    await applied(site, fleetOf({ 'acme nightly': { schedule: everyNight } }), applyAt);
    await pauseWorkspaces(site.pool, site.queue, ['acme']);
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-05T03:00:00Z'))).toEqual({
      due: 0,
      sent: 0,
    });
    await resumeWorkspaces(site.pool, site.queue, ['acme']);
    expect(await runSchedulerTick(site.pool, site.queue, at('2026-01-05T04:00:00Z'))).toEqual({
      due: 1,
      sent: 1,
    });
    expect(await nextTimes()).toEqual(['2026-01-06T02:00:00.000Z']);
  });

  it('starts workspaces spread over the time that their schedule says, each at its own', async () => {
    const schedule = { ...everyNight, spread: 3_600_000 };
    const names = ['acme nightly', 'beta nightly'];
    await applied(site, fleetOf(Object.fromEntries(names.map((name) => [name, { schedule }]))), applyAt);
    const [one = '', other = ''] = await nextTimes();
    expect(one).not.toBe(other);
    for (const time of [one, other]) expect(time).toMatch(/^2026-01-02T02:/);
  });
});
