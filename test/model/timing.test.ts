import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEmptyTiming,
  estimatePercentile,
  mergeTimings,
  type OperationTiming,
  recordAnswerTime,
} from '../../src/model/timing.ts';

const times = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 200 });

function measured(all: readonly number[]): OperationTiming {
  const timing = createEmptyTiming();
  for (const ms of all) recordAnswerTime(timing, ms);
  return timing;
}

describe('the time that answers took', () => {
  it('is the same whether one process measured all of it or two that are added up', () => {
    const property = fc.property(times, times, (a, b) => {
      expect(mergeTimings(measured(a), measured(b))).toEqual(measured([...a, ...b]));
      expect(mergeTimings(createEmptyTiming(), measured(b))).toEqual(measured(b));
    });
    fc.assert(property);
  });

  it('is told to within a fifth by its percentiles', () => {
    const property = fc.property(times, fc.constantFrom(0.5, 0.95, 0.99), (all, share) => {
      const sorted = [...all].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      const told = estimatePercentile(measured(all), share) ?? Number.NaN;
      expect(told).toBeGreaterThanOrEqual(exact - 1);
      expect(told).toBeLessThanOrEqual(Math.max(1, exact) * 1.2 + 1);
    });
    fc.assert(property);
  });

  it('is not known before there was an answer, and never less than none', () => {
    expect(estimatePercentile(createEmptyTiming(), 0.5)).toBeUndefined();
    expect(measured([-5])).toMatchObject({ answered: 1, answeredMs: 0, leastMs: 0 });
    expect(estimatePercentile(measured([10_000_000]), 0.5)).toBe(65_536);
  });
});
