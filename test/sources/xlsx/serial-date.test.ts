import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatSerialDateTime,
  normaliseIsoDateTime,
  parseNumberFormat,
} from '../../../src/sources/xlsx/number-format.ts';

const day = { date: true, time: false, elapsed: false };
const both = { date: true, time: true, elapsed: false };
const clock = { date: false, time: true, elapsed: false };
const elapsed = { date: false, time: true, elapsed: true };

describe('a serial number in the system of 1900', () => {
  test.each([
    [1, day, '1900-01-01'],
    [59, day, '1900-02-28'],
    [60, day, '1900-02-29'],
    [61, day, '1900-03-01'],
    [45000, day, '2023-03-15'],
    [45000, both, '2023-03-15 00:00:00'],
    [45000.5, both, '2023-03-15 12:00:00'],
    [45000.5, day, '2023-03-15 12:00:00'],
    [45000.0000001, day, '2023-03-15'],
    [45000.99999999, both, '2023-03-16 00:00:00'],
    [2958465, day, '9999-12-31'],
    [0.39583333333333331, clock, '09:30:00'],
    [0, clock, '00:00:00'],
    [0.5, day, '12:00:00'],
    [45000.25, clock, '2023-03-15 06:00:00'],
    [1.5, elapsed, '36:00:00'],
  ])('%d in %o is %s', (serial, format, text) => {
    expect(formatSerialDateTime(serial, format, false)).toBe(text);
  });

  test.each([-1, 0, 2958466, Number.NaN])('%d is no day', (serial) => {
    expect(formatSerialDateTime(serial, day, false)).toBeNull();
  });
});

test.each([
  [0, day, '1904-01-01'],
  [43538, day, '2023-03-15'],
  [0.5, clock, '12:00:00'],
  [43538.5, both, '2023-03-15 12:00:00'],
])('%d in the system of 1904, in %o, is %s', (serial, format, text) => {
  expect(formatSerialDateTime(serial, format, true)).toBe(text);
});

test('both systems count days alike, and no time zone shifts them', () => {
  const zone = process.env.TZ;
  const serial = fc.integer({ min: 61, max: 2_956_000 });
  try {
    fc.assert(
      fc.property(
        serial,
        fc.integer({ min: 0, max: 86_399 }),
        fc.constantFrom('Asia/Kuala_Lumpur', 'America/Los_Angeles', 'UTC'),
        (days, seconds, tz) => {
          process.env.TZ = tz;
          const expected = new Date(Date.UTC(1899, 11, 30) + days * 86_400_000 + seconds * 1000);
          const text = expected.toISOString().slice(0, 19).replace('T', ' ');
          expect(formatSerialDateTime(days + seconds / 86_400, both, false)).toBe(text);
          if (days >= 1462)
            expect(formatSerialDateTime(days - 1462 + seconds / 86_400, both, true)).toBe(text);
        },
      ),
    );
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test.each([
  ['dd/mm/yyyy', day],
  ['mmm-yy', day],
  ['[$-409]d-mmm-yyyy;@', day],
  ['yyyy"年"m"月"d"日"', day],
  ['m/d/yy h:mm', both],
  ['yyyy\\-mm\\-dd\\ hh:mm:ss', both],
  ['h:mm AM/PM', clock],
  ['mm:ss.0', clock],
  ['[h]:mm:ss', elapsed],
  ['[Red]mmmm', day],
])('the format %s shows a moment', (code, shown) => {
  expect(parseNumberFormat(code)).toEqual({ kind: 'dateTime', ...shown });
});

test.each([
  ['2024-01-31', '2024-01-31'],
  ['2024-01-31T09:30:00.000Z', '2024-01-31 09:30:00'],
  ['2024-01-31T09:30', '2024-01-31 09:30:00'],
  ['09:30:15', '09:30:15'],
  ['some day', 'some day'],
])('%s, stored as text, is %s', (stored, shown) => {
  expect(normaliseIsoDateTime(stored)).toBe(shown);
});
