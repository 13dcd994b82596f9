import { describe, expect, it } from 'vitest';
import {
  estimateDurationOfRequests,
  GradientConcurrencyLimit,
  type LoadFeedback,
  toMaxConcurrency,
} from '../../src/workspace/concurrency.ts';
import { play } from './simulated-load.ts';

const operation = {};

it('429 for everything under way lowers the bound by half at most, until answers come', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const note = (burden: LoadFeedback, n: number) => {
    now += 1;
    const bucket = String(n);
    concurrency.note({ operation, bucket, ms: 1, burden, underWay: 512, size: 500 });
  };
  for (let n = 0; n < 5_000; n += 1) note('answered', n);
  for (let n = 0; n < 2_000; n += 1) note('limited', n);
  expect(concurrency.limit).toBe(256);
  for (let n = 0; n < 256; n += 1) note('answered', n);
  for (let n = 0; n < 2_000; n += 1) note('limited', n);
  expect(concurrency.limit).toBe(128);
});

it('429 in one bucket is that bucket’s own affair', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const before = concurrency.limit;
  for (let n = 0; n < 20; n += 1) {
    now += 10;
    concurrency.note({
      operation: {},
      bucket: 'POST /contact/list',
      ms: 5,
      burden: 'limited',
      underWay: 1,
      size: 0,
    });
  }
  expect(concurrency.limit).toBe(before);
});

it('does not grow while nobody uses what it allows, and never beyond its bound', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const answer = (underWay: number) => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      concurrency.note({
        operation,
        bucket: String(n),
        ms: 1,
        burden: 'answered',
        underWay,
        size: 500,
      });
    }
  };
  const before = concurrency.limit;
  answer(5);
  expect(concurrency.limit).toBe(before);
  answer(512);
  expect(concurrency.limit).toBe(toMaxConcurrency('auto'));
  expect(concurrency.found).toBe(toMaxConcurrency('auto'));
});

it('does not grow while this thread works all the time, and grows once it has time', () => {
  let [now, worked, load] = [0, 0, 1];
  const clock = { now: () => now, worked: () => worked, sleep: () => Promise.resolve() };
  const concurrency = new GradientConcurrencyLimit(clock);
  const answer = () => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      worked += load;
      const request = { operation, bucket: String(n), ms: 1, underWay: 512, size: 500 };
      concurrency.note({ ...request, burden: 'answered' });
    }
  };
  const before = concurrency.limit;
  answer();
  expect(concurrency.limit).toBe(before);
  expect(concurrency.found).toBe(before);
  load = 0.8;
  answer();
  expect(concurrency.limit).toBe(512);
});

it('has found nothing while this thread is busy with something else than requests', () => {
  let [now, worked] = [0, 0];
  const clock = { now: () => now, worked: () => worked, sleep: () => Promise.resolve() };
  const concurrency = new GradientConcurrencyLimit(clock);
  const answer = (underWay: number) => {
    const request = { operation, bucket: String(now), ms: 1, underWay, size: 500 };
    concurrency.note({ ...request, burden: 'answered' });
  };
  for (let n = 0; n < 200; n += 1) {
    now += 10;
    worked += 10;
    answer(3);
  }
  expect(concurrency.found).toBeNull();
  // What came before the first answer of a window does not count.
  now += 60_000;
  worked += 60_000;
  const idle = new GradientConcurrencyLimit(clock);
  for (let n = 0; n < 5_000; n += 1) {
    now += 1;
    idle.note({
      operation,
      bucket: String(n),
      ms: 1,
      underWay: 512,
      size: 500,
      burden: 'answered',
    });
  }
  expect(idle.limit).toBe(512);
});

it('has no more large answers under way than 32 MiB have room for', () => {
  let now = 0;
  const concurrency = new GradientConcurrencyLimit({ now: () => now, sleep: () => Promise.resolve() });
  const answer = (size: number) => {
    for (let n = 0; n < 5_000; n += 1) {
      now += 1;
      const request = { operation, bucket: String(n), ms: 1, underWay: 512, size };
      concurrency.note({ ...request, burden: 'answered' });
    }
  };
  answer(64 * 1024);
  expect(concurrency.limit).toBe(512);
  answer(256 * 1024);
  expect(concurrency.limit).toBe(128);
  expect(concurrency.found).toBe(128);
  answer(16 * 1024 * 1024);
  expect(concurrency.limit).toBe(4);
  answer(1_000);
  expect(concurrency.limit).toBe(512);
});

describe('how long requests probably take', () => {
  const after = { requests: 40_000, meanMs: 200 };

  it.each([1_000, 5_000, 40_000])('is what %d take while it is found out how many may be', (requests) => {
    const steady = { answer: (random: number) => 200 * (0.5 + random) };
    const { ms: took } = play(requests, steady, (now) => {
      return new GradientConcurrencyLimit({ now, sleep: () => Promise.resolve() });
    });
    const said = estimateDurationOfRequests({ requests, meanMs: 200 }, 'auto');
    expect(said / took).toBeGreaterThan(0.9);
    expect(said / took).toBeLessThan(1.1);
  });

  it('is longer where fewer at once were found before, and as set where it is set', () => {
    expect(estimateDurationOfRequests(after, 'auto', 40)).toBeGreaterThan(40_000 * (200 / 40) - 2_000);
    expect(estimateDurationOfRequests(after, 'auto', 40)).toBeLessThan(40_000 * (200 / 40) + 2_000);
    expect(estimateDurationOfRequests(after, 100, 40)).toBe(80_000);
  });
});
