import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeCsvFormula,
  escapeSheetFormula,
  unescapeCsvFormula,
  unescapeSheetFormula,
} from '../../src/model/spreadsheet-guard.ts';
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
  ';',
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
      expect(unescapeSheetFormula(escapeSheetFormula(cell))).toBe(cell);
      expect(unescapeCsvFormula(escapeCsvFormula(cell))).toBe(cell);
    }),
    { numRuns: 2_000 },
  );
});

test('no cell begins with what a spreadsheet runs, but for phones and numbers', () => {
  const harmless = /^(?:\+[\d\s().\-/x]+|[+-][\d.,eE+\-\s%]+)$/;
  fc.assert(
    fc.property(cells, (cell) => {
      const guarded = escapeSheetFormula(cell);
      if (!harmless.test(guarded)) expect(guarded).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['+1 202-555-0101', '+442079460123', '-12.5', '+3', '-1,234.50', '-5 %'])(
  '%j stays as it is',
  (cell) => {
    expect(escapeSheetFormula(cell)).toBe(cell);
  },
);

test.each([
  ['vip;=1+1', "vip;'=1+1"],
  ['vip; @x;y', "vip;' @x;y"],
  ["vip;'=1+1", "vip;''=1+1"],
  ['a\n=cmd()', "a\n'=cmd()"],
  ["a\r\n-1+cmd|' /C'!A0", "a\r\n'-1+cmd|' /C'!A0"],
  ['=1;=2', "'=1;'=2"],
  ['+1\r\n*cmd()', "'+1\r\n*cmd()"],
  ['a;+1\n*cmd()', "a;'+1\n*cmd()"],
])('%j, split by a spreadsheet with another delimiter, runs nothing', (cell, guarded) => {
  expect(escapeCsvFormula(cell)).toBe(guarded);
});

test.each(['a;b', "it's; 'so'", '1;-2;+3', 'x;+1 202-555-0101', 'Dear Ada,\n- one\n-- \nBob', 'a;\n;'])(
  '%j stays as it is in a CSV',
  (cell) => {
    expect(escapeCsvFormula(cell)).toBe(cell);
  },
);

test('no piece of a cell between semicolons begins with what a spreadsheet runs, but for phones and numbers', () => {
  const harmless = /^(?:\+[\d\s().\-/x]+|[+-][\d.,eE+\-\s%]+)$/;
  fc.assert(
    fc.property(cells, (cell) => {
      for (const piece of escapeCsvFormula(cell).split(';'))
        if (!harmless.test(piece)) expect(piece).not.toMatch(/^[ \t]*[=+\-@＝＋－＠]/);
    }),
    { numRuns: 2_000 },
  );
});
