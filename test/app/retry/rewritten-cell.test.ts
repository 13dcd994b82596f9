import { describe, expect, it } from 'vitest';
import { detectSpreadsheetReformatting } from '../../../src/app/retry/rewritten-cell.ts';

describe('a long number that a spreadsheet saved', () => {
  const id = '1234567890123456789';

  it.each([
    ['cut to 15 digits', id, '1234567890123450000'],
    ['rounded to 15 digits', id, '1234567890123460000'],
    ['rounded to 16 digits', id, '1234567890123457000'],
    ['rounded to 17 digits', id, '1234567890123456800'],
    ['as the nearest binary number', id, '1234567890123456768'],
    ['cut, and then as the nearest binary number', id, '1234567890123450112'],
    ['rounded, with a grouping mark', id, '1 234 567 890 123 460 000'],
    ['rounded up to a digit more', '9999999999999999', '10000000000000000'],
    ['without its leading zeros', '001234567890123456', '1234567890123460'],
    ['with a sign', '-1234567890123456789', '-1234567890123460000'],
  ])('has lost its digits: %s', (_how, before, after) => {
    expect(detectSpreadsheetReformatting(before, after)).toEqual({ kind: 'lost', before, after });
  });

  it.each([
    ['a digit within the first 15', id, '1234567890923456789'],
    ['the last digit', id, '1234567890123456780'],
    ['the last digit of 16', '1234567890123456', '1234567890123457'],
    ['a digit more', id, '12345678901234567890'],
    ['a number of 15 digits', '123456789012345', '123456789012340'],
    ['a text of 400 digits', '1'.repeat(400), '2'.repeat(400)],
  ])('can be corrected: %s', (_how, before, after) => {
    expect(detectSpreadsheetReformatting(before, after)).toBeNull();
  });

  it('that lost only its leading zeros is the same', () => {
    expect(detectSpreadsheetReformatting('001234567890123000', '1234567890123000')?.kind).toBe('same');
  });
});
