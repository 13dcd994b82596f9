import { describe, expect, it } from 'vitest';
import { computeDefectBound } from '../../../src/app/verify/sample.ts';

/** n over k, exactly. */
function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let result = 1n;
  for (let i = 1; i <= k; i += 1) result = (result * BigInt(n - k + i)) / BigInt(i);
  return result;
}

/** The bound by trying every number of bad ones with whole numbers. */
function exactBound(all: number, size: number, bad: number): number {
  const total = choose(all, size);
  let most = bad;
  for (let inAll = bad; inAll <= all - (size - bad); inAll += 1) {
    let ways = 0n;
    for (let n = 0; n <= bad; n += 1) ways += choose(inAll, n) * choose(all - inAll, size - n);
    if (ways * 20n > total) most = inAll;
  }
  return most;
}

describe('what a sample says of all', () => {
  it.each([
    [100, 5, 0],
    [100, 50, 0],
    [100, 50, 3],
    [1_000, 50, 0],
    [1_000, 100, 2],
    [500, 499, 1],
    [20, 20, 4],
  ])('is exact: of %i contacts %i were read and %i differ', (all, size, bad) => {
    expect(computeDefectBound(all, size, bad)).toEqual({
      confidence: 0.95,
      atMost: exactBound(all, size, bad),
    });
  });

  it('is below one percent for 500 of 10,000 without a difference', () => {
    expect(computeDefectBound(10_000, 500, 0).atMost).toBeGreaterThan(50);
    expect(computeDefectBound(10_000, 500, 0).atMost).toBeLessThan(60);
  });
});
