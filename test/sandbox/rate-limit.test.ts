import { describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../src/sandbox/rate-limit.ts';
import { heldClock, startForTest } from './caller.ts';

const windows = ['sliding', 'fixed', 'bucket'] as const;

/** At which of these milliseconds a request is allowed. */
function allowedAt(window: (typeof windows)[number], times: readonly number[]): number[] {
  const limiter = createRateLimiter(5, window);
  return times.filter((time) => limiter.take('GET /x', time).allowed);
}

describe('five a second', () => {
  const late = [900, 910, 920, 930, 940, 950, 1000, 1010, 1899, 1900, 1901, 2000];

  test('in any 1,000 ms', () => {
    expect(allowedAt('sliding', late)).toEqual([900, 910, 920, 930, 940, 1900, 2000]);
  });

  test('from each whole second', () => {
    expect(allowedAt('fixed', late)).toEqual([900, 910, 920, 930, 940, 1000, 1010, 1899, 1900, 1901, 2000]);
  });

  test('by tokens that come back evenly', () => {
    expect(allowedAt('bucket', [0, 0, 0, 0, 0, 0, 199, 200, 399, 400, 401, 3000])).toEqual([
      0, 0, 0, 0, 0, 200, 400, 3000,
    ]);
  });
});

test.each(windows)('a steady stream over the limit is let through at the limit: %s', (window) => {
  const times = Array.from({ length: 10_000 }, (_, i) => i);
  const allowed = allowedAt(window, times).length;
  expect(allowed).toBeGreaterThanOrEqual(50);
  expect(allowed).toBeLessThanOrEqual(55);
});

test.each(windows)('Retry-After is long enough: %s', (window) => {
  const limiter = createRateLimiter(5, window);
  for (let i = 0; i < 5; i += 1) limiter.take('GET /x', 10_300);
  const verdict = limiter.take('GET /x', 10_301);
  expect(verdict).toEqual({ allowed: false, limit: 5, retryAfter: 1 });
  expect(limiter.take('GET /x', 11_301).allowed).toBe(true);
});

test('a million paths leave no memory', () => {
  const limiter = createRateLimiter(5, 'sliding');
  let most = 0;
  for (let i = 0; i < 1_000_000; i += 1) {
    limiter.take(`GET /contact/id:${i}`, Math.floor(i / 5));
    most = Math.max(most, limiter.size());
  }
  expect(most).toBeLessThanOrEqual(10_000);
  limiter.take('GET /x', 10_000_000);
  expect(limiter.size()).toBe(1);
});

test.each(windows)('over HTTP: method and path are counted apart, the query is not: %s', async (window) => {
  const clock = heldClock();
  const { call } = await startForTest({
    clock,
    window,
    rate: 5,
    seed: { contacts: [{ firstName: 'A' }, { firstName: 'B' }] },
  });
  for (let i = 0; i < 5; i += 1) expect((await call('GET', `/contact/id:1?n=${i}`)).status).toBe(200);
  const over = await call('GET', '/contact/id%3A1?n=6');
  expect(over.json).toEqual({ code: 429, message: 'Too Many Requests' });
  expect(over.headers.get('retry-after')).toBe('1');
  expect(over.headers.get('x-ratelimit-limit')).toBe('5');
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
  expect((await call('GET', '/contact/id:2')).status).toBe(200);
  expect((await call('PUT', '/contact/id:1', { firstName: 'A' })).status).toBe(200);
  clock.move(1000);
  expect((await call('GET', '/contact/id:1')).status).toBe(200);
});

test('the rate can be another one, or none', async () => {
  const two = await startForTest({ rate: 2, clock: heldClock() });
  const off = await startForTest({ rate: 'off' });
  const statuses = async (call: typeof two.call): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 8; i += 1) all.push((await call('GET', '/space/user')).status);
    return all;
  };
  expect(await statuses(two.call)).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
  expect(await statuses(off.call)).toEqual(Array(8).fill(200));
});
