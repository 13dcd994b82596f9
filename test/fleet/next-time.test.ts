import { describe, expect, it } from 'vitest';
import {
  computeNextTime,
  computeSpreadOffset,
  createCachedNextTimeCalculator,
  findCronMistake,
} from '../../src/fleet/schedule/next-time.ts';

/** The next times of a schedule, each found from the one before it. */
function times(cron: string, timezone: string, from: string, n: number, offset = 0): string[] {
  const found: number[] = [];
  for (let after = Date.parse(from); found.length < n; ) {
    after = computeNextTime({ cron, timezone }, offset, after);
    found.push(after);
  }
  return found.map((time) => new Date(time).toISOString());
}

describe('the next time of a schedule', () => {
  it('is meant in its time zone', () => {
    expect(times('30 2 * * *', 'Asia/Kuala_Lumpur', '2026-01-31T12:00:00Z', 2)).toEqual([
      '2026-01-31T18:30:00.000Z',
      '2026-02-01T18:30:00.000Z',
    ]);
  });

  it('is after the moment, never at it', () => {
    expect(times('0 2 * * *', 'UTC', '2026-01-31T02:00:00Z', 1)).toEqual(['2026-02-01T02:00:00.000Z']);
  });

  it('is there once where the clock is put forward over it', () => {
    // In Berlin 02:30 is left out on 29 March 2026: from 02:00 it is 03:00, and 03:30 takes its place.
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 4)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
  });

  it('is there once where the clock is put back over it', () => {
    // In Berlin 02:30 is there twice on 25 October 2026.
    const found = times('30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00:00Z', 4);
    expect(found.map((time) => time.slice(0, 10))).toEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-26',
      '2026-10-27',
    ]);
    expect(found[2]).toBe('2026-10-26T01:30:00.000Z');
  });

  it('is there in each hour that passes, whatever the clock says', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z', 4)).toEqual([
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T02:00:00.000Z',
      '2026-03-29T03:00:00.000Z',
    ]);
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
      '2026-10-25T03:00:00.000Z',
    ]);
  });

  it('is always as long behind', () => {
    const offset = 90 * 60_000;
    expect(times('0 2 * * *', 'UTC', '2026-01-31T02:30:00Z', 2, offset)).toEqual([
      '2026-01-31T03:30:00.000Z',
      '2026-02-01T03:30:00.000Z',
    ]);
  });

  it.each(['', '* * * *', '0 2 * * * *', '61 2 * * *', '0 2 30 2 *', 'at noon or so maybe'])(
    'cannot be found of %j',
    (cron) => {
      expect(findCronMistake(cron)).toBeDefined();
    },
  );

  it.each(['0 2 * * *', '*/15 8-18 * * 1-5', '0 0 29 2 *', '30 2 1 jan,jul *'])('can of %j', (cron) => {
    expect(findCronMistake(cron)).toBeUndefined();
  });
});

describe('the spread', () => {
  it('is stable, and even over 2,000 workspaces', () => {
    const spread = 7_200_000;
    const offsets = Array.from({ length: 2_000 }, (_, n) =>
      computeSpreadOffset(`workspace-${n}`, 'nightly', spread),
    );
    const again = Array.from({ length: 2_000 }, (_, n) =>
      computeSpreadOffset(`workspace-${n}`, 'nightly', spread),
    );
    expect(again).toEqual(offsets);
    const slots = Array.from(
      { length: 24 },
      (_, slot) => offsets.filter((offset) => Math.floor((offset / spread) * 24) === slot).length,
    );
    // 83 in each on average: five standard deviations off would be 38 or 128.
    expect(Math.min(...slots)).toBeGreaterThan(50);
    expect(Math.max(...slots)).toBeLessThan(120);
    expect(Math.max(...offsets)).toBeLessThan(spread);
  });

  it('is another one for another pipeline, and none where none is asked for', () => {
    expect(computeSpreadOffset('acme', 'nightly', 3_600_000)).not.toBe(
      computeSpreadOffset('acme', 'weekly', 3_600_000),
    );
    expect(computeSpreadOffset('acme', 'nightly', 0)).toBe(0);
  });
});

describe('the next times of many assignments', () => {
  const schedules = ['0 2 * * *', '30 2 * * *', '*/15 * * * *', '0 0 1 * *'].flatMap((cron) =>
    ['UTC', 'Europe/Berlin', 'Asia/Kolkata'].map((timezone) => ({ cron, timezone })),
  );

  it('are those of each by itself, also where a clock is put forward or back', () => {
    const one = createCachedNextTimeCalculator();
    for (const from of ['2026-03-28T22:00:00Z', '2026-10-24T22:00:00Z', '2026-06-30T23:59:59.999Z']) {
      for (const schedule of schedules) {
        for (let minute = 0; minute < 360; minute += 23) {
          const [offset, after] = [minute * 30_000, Date.parse(from) + minute * 60_000];
          expect(one(schedule, offset, after)).toBe(computeNextTime(schedule, offset, after));
        }
      }
    }
  });
});
