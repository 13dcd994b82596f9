import { describe, expect, it } from 'vitest';
import { RowPool } from '../../../src/app/import/pool.ts';

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whether a promise is settled by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await settled();
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

/** A row in the pool that works, waits aside and ends when it is told to. */
function row(pool: RowPool) {
  const gates: (() => void)[] = [];
  const state = { working: false, aside: false };
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  pool.begin(async () => {
    await pool.take();
    state.working = true;
    await gate();
    state.working = false;
    state.aside = true;
    await pool.withoutSlot(gate);
    state.aside = false;
    state.working = true;
    await gate();
    state.working = false;
    pool.give();
  });
  return {
    state,
    /** From work to waiting aside, from there to work, from there to the end. */
    async next() {
      gates.shift()?.();
      await settled();
    },
  };
}

describe('the pool', () => {
  it('lets no more rows work than it may, and the next one as soon as one waits or ends', async () => {
    const pool = new RowPool({ active: () => 2, waiting: 10 });
    const rows = [row(pool), row(pool), row(pool), row(pool)];
    await settled();
    const working = () => rows.map(({ state }) => state.working);
    expect(working()).toEqual([true, true, false, false]);
    expect(pool.counts).toEqual({ active: 2, waiting: 0 });
    await rows[0]?.next();
    expect(rows[0]?.state.aside).toBe(true);
    expect(working()).toEqual([false, true, true, false]);
    // It comes back, and stands behind the one that has waited longer.
    await rows[0]?.next();
    expect(working()).toEqual([false, true, true, false]);
    await rows[1]?.next();
    expect(working()).toEqual([false, false, true, true]);
    await rows[2]?.next();
    expect(working()).toEqual([true, false, false, true]);
    expect(pool.counts.active).toBe(2);
  });

  it('follows a number that changes: none starts until so many may work, and then all that may', async () => {
    let most = 2;
    const pool = new RowPool({ active: () => most, waiting: 10 });
    const rows = [row(pool), row(pool), row(pool), row(pool)];
    await settled();
    const working = () => rows.map(({ state }) => state.working);
    most = 1;
    await rows[0]?.next();
    expect(working()).toEqual([false, true, false, false]);
    most = 3;
    await rows[1]?.next();
    expect(working()).toEqual([false, false, true, true]);
    expect(pool.counts).toEqual({ active: 2, waiting: 2 });
    await rows[0]?.next();
    expect(working()).toEqual([true, false, true, true]);
  });

  it('gives a place back when a wait aside fails, too', async () => {
    const pool = new RowPool({ active: () => 1, waiting: 1 });
    await pool.take();
    await expect(pool.withoutSlot(() => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped');
    expect(pool.counts.active).toBe(1);
    const other = Promise.resolve(pool.take());
    expect(await isOver(other)).toBe(false);
    pool.give();
    expect(await isOver(other)).toBe(true);
  });

  it('has room until so many rows are under way, waiting ones included', async () => {
    const pool = new RowPool({ active: () => 4, waiting: 1 });
    const rows = [row(pool), row(pool), row(pool), row(pool)];
    expect(await isOver(pool.room())).toBe(true);
    rows.push(row(pool));
    const room = pool.room();
    await rows[0]?.next();
    expect(await isOver(room)).toBe(false);
    await rows[1]?.next();
    expect(await isOver(room)).toBe(false);
    for (let n = 0; n < 2; n += 1) await rows[1]?.next();
    expect(await isOver(room)).toBe(true);
  });

  it('has no room while many rows stand before a place, however many may wait aside', async () => {
    const pool = new RowPool({ active: () => 2, waiting: 1_000 });
    const rows: ReturnType<typeof row>[] = [];
    while (rows.length < 100 && (await isOver(pool.room()))) rows.push(row(pool));
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.length).toBeLessThan(100);
    const room = pool.room();
    expect(await isOver(room)).toBe(false);
    await rows[0]?.next();
    expect(await isOver(room)).toBe(true);
  });

  it('is idle when the last row has ended, also where rows wait aside', async () => {
    const pool = new RowPool({ active: () => 2, waiting: 3 });
    expect(await isOver(pool.idle())).toBe(true);
    const rows = [row(pool), row(pool)];
    const idle = pool.idle();
    await settled();
    await rows[0]?.next();
    await rows[1]?.next();
    expect(await isOver(idle)).toBe(false);
    for (let n = 0; n < 2; n += 1) await rows[0]?.next();
    expect(await isOver(idle)).toBe(false);
    for (let n = 0; n < 2; n += 1) await rows[1]?.next();
    expect(await isOver(idle)).toBe(true);
    expect(pool.counts).toEqual({ active: 0, waiting: 0 });
  });
});

describe('a thousand rows', () => {
  it('with waits of all lengths come to an end, never more at work than may be', async () => {
    const pool = new RowPool({ active: () => 5, waiting: 7 });
    const most = { active: 0, rows: 0 };
    const state = { rows: 0, ended: 0 };
    const work = async (n: number) => {
      await pool.take();
      for (let turn = 0; turn < n % 4; turn += 1) {
        most.active = Math.max(most.active, pool.counts.active);
        await settled();
        await pool.withoutSlot(async () => {
          for (let ticks = 0; ticks < (n * 7 + turn) % 5; ticks += 1) await settled();
        });
      }
      if (n % 3 === 0) await settled();
      pool.give();
      state.rows -= 1;
      state.ended += 1;
    };
    for (let n = 0; n < 1_000; n += 1) {
      await pool.room();
      state.rows += 1;
      most.rows = Math.max(most.rows, state.rows);
      pool.begin(() => work(n));
    }
    await pool.idle();
    expect(state.ended).toBe(1_000);
    expect(most.active).toBe(5);
    expect(most.rows).toBeLessThanOrEqual(12);
  });
});
