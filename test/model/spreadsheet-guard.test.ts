import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardCell, unguardCell } from '../../src/model/spreadsheet-guard.ts';
import { nastyTexts } from '../end-to-end/export/nasty.ts';

const signs = [
  "'",
  '=',
  '+',
  '-',
  '@',
  '＝',
  ' ',
  '\t',
  '\r',
  '\n',
  '\0',
  '\u200b',
  '\ufeff',
  '1',
  '.',
  '%',
  'x',
];
const cells = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...signs)).map((parts) => parts.join('')),
);

test('whatever a cell holds, it comes back', () => {
  fc.assert(
    fc.property(cells, (cell) => {
      expect(unguardCell(guardCell(cell))).toBe(cell);
    }),
    { numRuns: 2_000 },
  );
});

test('no cell begins with what a spreadsheet runs, but for phones and numbers', () => {
  const harmless = /^(?:\+[\d\s().\-/x]+|[+-][\d.,eE+\-\s%]+)$/;
  fc.assert(
    fc.property(cells, (cell) => {
      const guarded = guardCell(cell);
      if (!harmless.test(guarded)) expect(guarded).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['+1 202-555-0101', '+442079460123', '-12.5', '+3', '-1,234.50', '-5 %'])(
  '%j stays as it is',
  (cell) => {
    expect(guardCell(cell)).toBe(cell);
  },
);
