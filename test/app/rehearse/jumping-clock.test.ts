import { expect, it } from 'vitest';
import { SimulatedClock } from '../../../src/app/rehearse/simulated-clock.ts';
import { systemClock } from '../../../src/workspace/index.ts';

const fast = () => new SimulatedClock({ real: systemClock, speed: undefined });

it('jumps over waits, in their order, and takes no time for them', async () => {
  const clock = fast();
  const seen: number[] = [];
  const wait = async (ms: number) => {
    await clock.sleep(ms);
    seen.push(clock.elapsed);
  };
  const before = Date.now();
  await Promise.all([wait(3_600_000), wait(250), wait(1_000.5), wait(1_000)]);
  expect(seen).toEqual([250, 1_000, 1_001, 3_600_000]);
  expect(Date.now() - before).toBeLessThan(60_000);
});

it('stands still while something is done, however long it takes', async () => {
  const clock = fast();
  const waited = clock.sleep(1_000);
  await clock.still(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clock.elapsed).toBe(0);
  });
  await waited;
  expect(clock.elapsed).toBe(1_000);
});

it('does not jump for upkeep, which happens on the way', async () => {
  const clock = fast();
  let looked = 0;
  const look = async () => {
    for (;;) {
      await clock.sleep(1_000, undefined, 'upkeep');
      looked += 1;
    }
  };
  void look();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([clock.elapsed, looked]).toEqual([0, 0]);
  await clock.sleep(10_500);
  expect([clock.elapsed, looked]).toEqual([10_500, 10]);
});

it('a wait that was given up rejects with the reason and is not jumped to', async () => {
  const clock = fast();
  const stop = new AbortController();
  const long = clock.sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
  await clock.sleep(5);
  expect(clock.elapsed).toBe(5);
});

it('runs no faster than its speed allows', async () => {
  let now = 0;
  const naps: number[] = [];
  const real = {
    now: () => now,
    sleep(ms: number) {
      naps.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
  const clock = new SimulatedClock({ real, speed: 60 });
  await clock.sleep(6_000);
  // 6 s at 60 times the speed.
  expect(naps.reduce((sum, ms) => sum + ms, 0)).toBe(100);
});

it('has no pace any more once it hurries, also for a wait that has begun', async () => {
  const clock = new SimulatedClock({ real: systemClock, speed: 0.001 });
  const waited = clock.sleep(3_600_000);
  await new Promise((resolve) => setImmediate(resolve));
  clock.hurry();
  await waited;
  expect(clock.elapsed).toBe(3_600_000);
});
