import { describe, expect, test } from 'vitest';
import {
  createRowLine,
  formatRowLine,
  formatRowPlace,
  formatRowPlaces,
  parseRowLine,
  splitRowLine,
} from '../../src/model/row-place.ts';

describe('the place of a row', () => {
  test.each([
    [1, 1, '1'],
    [42, 1, '42'],
    [42, 3, '42, row 3'],
    [999_999_999, 9_000_000, '999999999, row 9000000'],
  ])('line %i, row %i is one number, shown and typed as %s', (line, row, text) => {
    const place = createRowLine(line, row);
    expect(Number.isSafeInteger(place)).toBe(true);
    expect(splitRowLine(place)).toEqual({ line, row });
    expect(formatRowLine(place)).toBe(text);
    expect(parseRowLine(text)).toBe(place);
  });

  test('the first row of a line has the number of the line, so that older journals and lists stay valid', () => {
    expect(createRowLine(42, 1)).toBe(42);
    expect(parseRowLine('42, row 1')).toBe(42);
  });

  test('what cannot be one number is the line alone', () => {
    expect(createRowLine(42, 10_000_000)).toBe(42);
    expect(createRowLine(1_500_000_000, 2)).toBe(1_500_000_000);
    expect(formatRowLine(1_500_000_000)).toBe('1500000000');
  });

  test.each([[' 42 '], ['42,row 3'], ['42 Row 3'], ['42, ROW 3']])('"%s" is read', (text) => {
    expect(parseRowLine(text)).toBe(createRowLine(42, text.includes('3') ? 3 : 1));
  });

  test.each([[''], ['x'], ['42.3'], ['-1'], ['42, row'], ['42, row 0'], ['42, row 99999999']])(
    '"%s" is no place',
    (text) => {
      expect(parseRowLine(text)).toBeUndefined();
    },
  );

  test('sentences name the row where a line has several', () => {
    const third = createRowLine(42, 3);
    expect(formatRowPlace({ line: third })).toBe('line 42, row 3');
    expect(formatRowPlaces([{ line: 12 }, { line: 14 }])).toBe('lines 12, 14');
    expect(formatRowPlaces([{ line: 42 }, { line: third }])).toBe('line 42, rows 1, 3');
    expect(formatRowPlaces([{ line: createRowLine(56, 13) }, { line: createRowLine(56, 25) }])).toBe(
      'line 56, rows 13, 25',
    );
    expect(formatRowPlaces([{ line: 12 }, { line: third }, { line: 14 }])).toBe(
      'lines 12, 14; line 42, row 3',
    );
    expect(formatRowPlace({ line: 12, sheet: 'Nord' })).toBe('row 12 of the sheet Nord');
  });
});
