import { expect, it } from 'vitest';
import { startHeartbeat } from '../../../src/app/run/until-stopped.ts';
import { VirtualClock } from '../../workspace/virtual-clock.ts';

it('a heartbeat beats until it is stopped, and once more then', async () => {
  const clock = new VirtualClock();
  const beats: number[] = [];
  const begun = clock.now();
  const stop = startHeartbeat(clock, 1_000, () => beats.push(clock.now() - begun));
  await clock.advance(3_500);
  expect(beats).toEqual([1_000, 2_000, 3_000]);
  await clock.run(stop());
  expect(beats).toEqual([1_000, 2_000, 3_000, 3_500]);
  await clock.advance(5_000);
  expect(beats).toHaveLength(4);
  expect(clock.timers).toBe(0);
});

it('a heartbeat that fails stops beating and nothing else', async () => {
  const clock = new VirtualClock();
  const beats = { count: 0 };
  const stop = startHeartbeat(clock, 1_000, () => {
    beats.count += 1;
    throw new Error('the disk is full');
  });
  await clock.advance(3_500);
  expect(beats.count).toBe(1);
  await clock.run(stop());
  expect(beats.count).toBe(1);
});

it('a heartbeat whose last beat fails can be stopped', async () => {
  const clock = new VirtualClock();
  const stop = startHeartbeat(clock, 1_000, () => {
    throw new Error('the disk is full');
  });
  await clock.run(stop());
  expect(clock.timers).toBe(0);
});
