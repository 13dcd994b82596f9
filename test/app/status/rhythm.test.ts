import { describe, expect, it } from 'vitest';
import { estimateRunInterval } from '../../../src/app/status/report/run-interval.ts';

const hour = 3_600_000;
const day = 24 * hour;
const tuesday = Date.parse('2026-03-03T02:30:00Z');

/** So many nights before a time, newest first, each a little later than the timer. */
function nights(n: number, last = tuesday, every = day): number[] {
  return Array.from({ length: n }, (_, index) => last - index * every + (index % 3) * 60_000);
}

describe('the rhythm of runs', () => {
  it('is the median, and on time until a quarter of it has passed', () => {
    const rhythm = estimateRunInterval(nights(8), tuesday + day + 5 * hour);
    expect(rhythm).toMatchObject({ times: 8, lastAt: '2026-03-03T02:30:00.000Z', late: 0, gaps: [] });
    expect(Math.abs((rhythm?.everySeconds ?? 0) - 86_400)).toBeLessThan(200);
  });

  it('counts the nights that did not come since', () => {
    expect(estimateRunInterval(nights(8), tuesday + day + 7 * hour)).toMatchObject({ late: 1 });
    expect(estimateRunInterval(nights(8), tuesday + 3 * day + 7 * hour)).toMatchObject({ late: 3 });
  });

  it('names those that did not come between others', () => {
    const times = nights(10).filter((_, index) => index !== 2 && index !== 3);
    expect(estimateRunInterval(times, tuesday + hour)).toMatchObject({
      late: 0,
      gaps: [
        {
          from: new Date(times[2] ?? 0).toISOString(),
          to: new Date(times[1] ?? 0).toISOString(),
          missing: 2,
        },
      ],
    });
  });

  it('is not disturbed by one that was started again by hand', () => {
    const times = [...nights(8), tuesday - 2 * day + 6 * hour].sort((a, b) => b - a);
    expect(estimateRunInterval(times, tuesday + hour)).toMatchObject({ late: 0, gaps: [] });
  });

  it('is none where there are few, where they come as they like, or one after the other by hand', () => {
    expect(estimateRunInterval([], tuesday)).toBeNull();
    expect(estimateRunInterval(nights(3), tuesday + 9 * day)).toBeNull();
    const uneven = [0, 1, 9, 10, 31, 60, 61.5].map((days) => tuesday - days * day);
    expect(estimateRunInterval(uneven, tuesday + 90 * day)).toBeNull();
    expect(estimateRunInterval(nights(9, tuesday, 5 * 60_000), tuesday + day)).toBeNull();
  });
});
