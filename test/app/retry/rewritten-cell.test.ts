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

describe('a date with a time, shown by a spreadsheet without its seconds', () => {
  const before = '2023-05-09 10:11:12';
  const day = ['2023-05-09'];
  const kindOf = (from: string, after: string, ...days: (readonly string[])[]) =>
    detectSpreadsheetReformatting(from, after, ...days)?.kind;

  it.each(['09.05.2023 10:11', '5/9/2023 10:11', '09/05/2023 10:11', '2023-05-09 10:11'])(
    'is the same where the mapping reads it only as it was: %s',
    (after) => expect(kindOf(before, after, day, [])).toBe('same'),
  );

  it('is the same where it can be read in one way', () => {
    expect(kindOf('2023-05-29 10:11:12', '29.05.2023 10:11')).toBe('same');
  });

  it('may be the same where it can be read in two ways, and the mapping reads both', () => {
    expect(kindOf(before, '09.05.2023 10:11', day, ['2023-05-09'])).toBe('perhaps');
    expect(kindOf(before, '09.05.2023 10:11')).toBe('perhaps');
  });

  it.each(['09.05.2023 10:12', '09.05.2023 10:11:13', '10.05.2023 10:11', '09.05.2023'])(
    'and is an edit where it is another time: %s',
    (after) => expect(kindOf(before, after, day, [])).toBeUndefined(),
  );
});
