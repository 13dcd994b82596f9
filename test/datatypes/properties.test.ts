import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { contactFieldTypes, dataTypeNames, dataTypes, trimWhiteSpace } from '../../src/datatypes/index.ts';

const day = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));

test('a day survives every format, with any time and zone behind it', () => {
  const formats = ['yyyy-MM-dd', 'MM/dd/yyyy', 'd.M.yyyy', 'd MMM yyyy', 'MMMM d, yyyy', 'yyyyMMdd'];
  const times = ['', ' 00:00:00', 'T23:59:59.999Z', ' 12:00 PM', 'T00:30:00+14:00', ' 23:30:00-1200'];
  fc.assert(
    fc.property(day, fc.constantFrom(...formats), fc.constantFrom(...times), (iso, format, time) => {
      const written = DateTime.fromISO(iso, { zone: 'utc' }).toFormat(format, { locale: 'en-US' });
      const { read } = dataTypes.date.reader({ formats: [format] }, {});
      expect(read(written + time)).toEqual({ ok: true, value: iso });
    }),
    { numRuns: 300 },
  );
});

test('a number survives every way of writing it', () => {
  const characters = fc
    .record({ point: fc.constantFrom('.', ','), group: fc.constantFrom(',', '.', ' ', "'", '_', undefined) })
    .filter(({ point, group }) => point !== group);
  const number = fc.tuple(
    fc.integer({ min: -999_999_999, max: 999_999_999 }),
    fc.integer({ min: 0, max: 999 }),
  );
  fc.assert(
    fc.property(number, characters, ([whole, thousandths], { point, group }) => {
      const digits = String(Math.abs(whole)).replace(/\B(?=(\d{3})+$)/g, group ?? '');
      const written = `${whole < 0 ? '-' : ''}${digits}${point}${String(thousandths).padStart(3, '0')}`;
      const expected = Number(`${whole}.${String(thousandths).padStart(3, '0')}`);
      const rule = group === undefined ? { decimal: point } : { decimal: point, thousands: group };
      const parsed = dataTypes.number.reader(rule, {}).read(written);
      expect(parsed).toMatchObject({ ok: true });
      expect(parsed.ok && Number(parsed.value)).toBeCloseTo(expected, 3);
      expect(dataTypes.number.same(String(expected), parsed.ok ? parsed.value : null)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('nothing that a cell can hold makes a reader throw, and what is accepted is accepted again', () => {
  const readers = dataTypeNames.map((name) => dataTypes[name].reader({}, {}));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (cell) => {
      for (const { read } of readers) {
        const parsed = read(cell);
        if (parsed.ok) expect(read(String(parsed.value))).toEqual({ ok: true, value: parsed.value });
        else expect(parsed.reason).not.toBe('');
      }
      for (const { parse } of Object.values(contactFieldTypes)) {
        const parsed = parse(cell, 'MY');
        if (parsed.ok) expect(parse(parsed.value, undefined)).toEqual({ ok: true, value: parsed.value });
      }
    }),
    { numRuns: 300 },
  );
});

test('a huge cell is answered at once, whatever it is made of', () => {
  const part = fc.constantFrom(' ', '(', '0', '1,', 'a', '.', '@', '+', '-', 'T ', ':', '/', '\u3000', '<');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
      const cell = `1${parts.join('').repeat(200_000)}!`;
      for (const name of dataTypeNames) dataTypes[name].reader({}, {}).read(cell);
      for (const { parse } of Object.values(contactFieldTypes)) parse(cell, 'MY');
      trimWhiteSpace(cell);
    }),
    { numRuns: 30 },
  );
});

test('trimming takes off white space of every kind and nothing else', () => {
  const space = fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2060', '\u200e');
  fc.assert(
    fc.property(fc.array(space), fc.array(space), (before, after) => {
      expect(trimWhiteSpace(`${before.join('')}a\u3000b${after.join('')}`)).toBe('a\u3000b');
      expect(trimWhiteSpace(before.join(''))).toBe('');
    }),
  );
});
