import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseTime } from '../../src/fleet/lease/database-time.ts';
import { startRenewingLease, takeLease, tryTakeLease } from '../../src/fleet/lease/lease.ts';
import { computeLeaseEnd, JobProcessLease } from '../../src/fleet/lease/lease-end.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { type FleetDatabase, fleetDatabase } from './fleet-database.ts';

let database: FleetDatabase;
beforeAll(async () => {
  database = await fleetDatabase();
});
afterAll(() => database.remove());

const hour = { leaseMs: 3_600_000, settleMs: 60_000 };
const ports = { clock: systemClock };
const never = new AbortController().signal;

/** A time that a test sets by hand. */
function handTime() {
  const now = { monotonic: 1_000, wall: 1_700_000_000_000 };
  return { now, time: { monotonic: () => now.monotonic, wall: () => now.wall } };
}

/** Sets when a lease ends, by the database's clock. */
async function endIn(workspace: string, ms: number): Promise<void> {
  await database.pool.query(
    "UPDATE longshore.holder SET until = clock_timestamp() + $2 * interval '1 ms' WHERE workspace = $1",
    [workspace, ms],
  );
}

/** Opens a pool for which the clock of the database is ahead by what `shifted.shift` says. */
async function createShiftedPool(): Promise<Pool> {
  await database.pool.query(`CREATE SCHEMA shifted;
    CREATE TABLE shifted.shift AS SELECT interval '0' AS by;
    CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
      'SELECT pg_catalog.clock_timestamp() + by FROM shifted.shift'`);
  const options = '-c search_path=shifted,pg_catalog,public';
  return new Pool({ connectionString: database.postgres.url, options });
}

const held = async (workspace: string, times = hour) =>
  await takeLease(database.pool, workspace, 'one', times, never, ports);
const another = async (workspace: string) => await tryTakeLease(database.pool, workspace, 'two', hour, ports);

describe('a lease', () => {
  it('is one holder’s until it is released; each has a greater token', async () => {
    const first = await held('released');
    expect(await another('released')).toBeUndefined();
    await first.release();
    const second = await another('released');
    expect([first.token, second?.token]).toEqual(['1', '2']);
    expect(await first.renew()).toBe(false);
    expect(first.lost.reason).toMatchObject({
      reason: 'locked',
      message: expect.stringContaining('another machine'),
    });
    expect(await second?.renew()).toBe(true);
  });

  it('that ended is nobody else’s until it has settled, and may be renewed until then', async () => {
    const first = await held('settling');
    await endIn('settling', -30_000);
    expect(await another('settling')).toBeUndefined();
    expect(await first.renew()).toBe(true);
    await endIn('settling', -60_001);
    expect((await another('settling'))?.token).toBe('2');
    expect(await first.renew()).toBe(false);
  });

  it('that its holder has is not over where the clock of the database jumps ahead', async () => {
    const pool = await createShiftedPool();
    const times = { leaseMs: 60_000, settleMs: 10_000 };
    const { now, time } = handTime();
    const databaseTime = new DatabaseTime(time);
    const look = async (afterMs: number) => {
      now.monotonic += afterMs;
      await databaseTime.read(pool, 70_000);
      return await tryTakeLease(pool, 'jumped', 'two', times, { ...ports, databaseTime });
    };
    try {
      const first = await takeLease(pool, 'jumped', 'one', times, never, ports);
      expect(await look(0)).toBeUndefined();
      expect(await look(70_000)).toBeUndefined();
      await pool.query("UPDATE shifted.shift SET by = '1 hour'");
      expect(await look(1_000)).toBeUndefined();
      expect(await first.renew()).toBe(true);
      // Another hour, and no renewal within lease and settle by the clock of the machine.
      await pool.query("UPDATE shifted.shift SET by = '2 hours'");
      expect(await look(1_000)).toBeUndefined();
      expect((await look(70_000))?.token).toBe('2');
    } finally {
      await pool.end();
    }
  });

  it('whose holder died is not taken by a machine before it has followed the time for lease and settle', async () => {
    await held('fresh', { leaseMs: 1, settleMs: 0 });
    await endIn('fresh', -3_600_000);
    const { now, time } = handTime();
    const databaseTime = new DatabaseTime(time);
    const times = { leaseMs: 60_000, settleMs: 10_000 };
    const look = async () => {
      await databaseTime.read(database.pool, 70_000);
      return await tryTakeLease(database.pool, 'fresh', 'two', times, { ...ports, databaseTime });
    };
    expect(await look()).toBeUndefined();
    now.monotonic += 69_999;
    expect(await look()).toBeUndefined();
    now.monotonic += 1;
    expect((await look())?.token).toBe('2');
  });

  it('is taken by one of many who ask at once', async () => {
    await endIn('settling', -60_001);
    const asked = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => another('settling')));
    expect(asked.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is waited for, as long as the signal lets it', async () => {
    const first = await held('waited', { leaseMs: 200, settleMs: 0 });
    const stop = new AbortController();
    const waiting = takeLease(
      database.pool,
      'waited',
      'two',
      { leaseMs: 200, settleMs: 3_600_000 },
      stop.signal,
      ports,
    );
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const second = await takeLease(
      database.pool,
      'waited',
      'two',
      { leaseMs: 200, settleMs: 0 },
      never,
      ports,
    );
    expect(Number(second.token)).toBe(Number(first.token) + 1);
  });

  it('is counted from before the database was asked', async () => {
    const { now, time } = handTime();
    const slow = {
      query: async (text: string, values: unknown[]) => {
        now.monotonic += 5_000;
        now.wall += 5_000;
        return await database.pool.query(text, values);
      },
    };
    const pool = Object.assign(new Pool(), slow);
    const lease = await tryTakeLease(
      pool,
      'counted',
      'one',
      { leaseMs: 30_000, settleMs: 0 },
      { ...ports, time },
    );
    expect(lease?.until()).toEqual({ monotonic: 31_000, wall: 1_700_000_030_000 });
    await lease?.renew();
    expect(lease?.until()).toEqual({ monotonic: 36_000, wall: 1_700_000_035_000 });
  });

  it('that a database in trouble cannot renew is lost when it ends, at the latest', async () => {
    const lease = await held('in trouble', { leaseMs: 300, settleMs: 0 });
    const broken = { ...lease, renew: () => Promise.reject(new Error('away')) };
    const stop = startRenewingLease(broken, { leaseMs: 300 }, ports);
    await new Promise((resolve) => lease.lost.addEventListener('abort', resolve, { once: true }));
    await stop();
    expect(lease.lost.aborted).toBe(true);
  });

  it('that is kept is renewed, and says each new end', async () => {
    const lease = await held('kept', { leaseMs: 600, settleMs: 0 });
    const ends: number[] = [];
    await new Promise<void>((resolve) => {
      const stop = startRenewingLease(lease, { leaseMs: 600 }, ports, ({ monotonic }) => {
        ends.push(monotonic);
        if (ends.length === 3) void stop().then(resolve);
      });
    });
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(lease.lost.aborted).toBe(false);
  });
});

describe('what a process knows of its lease', () => {
  it.each(['monotonic', 'wall'] as const)('ends when the %s time is over', (which) => {
    const { now, time } = handTime();
    const known = new JobProcessLease(computeLeaseEnd(100, time), time);
    now[which] += 99;
    expect(() => known.assertHeld()).not.toThrow();
    now[which] += 1;
    expect(() => known.assertHeld()).toThrow('has lost its lease on the workspace');
    known.extend(computeLeaseEnd(100, time));
    expect(() => known.assertHeld()).not.toThrow();
  });
});
