import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatStoredNumber } from '../../../src/sources/xlsx/cell-text.ts';
import { formatByMask, parseNumberFormat } from '../../../src/sources/xlsx/number-format.ts';

test.each([
  ['1.2345E+15', '1234500000000000'],
  ['1.2345678901234499E+18', '1234567890123449900'],
  ['0.30000000000000004', '0.3'],
  ['4.0000000000000001E-2', '0.04'],
  ['1.0000000000000001E-5', '0.00001'],
  ['2.9999999999999996', '3'],
  ['99.999999999999999', '100'],
  ['-0.1', '-0.1'],
  ['-0', '0'],
  ['12.50', '12.5'],
  ['1234567890123456789', '1234567890123456789'],
  ['0042', '0042'],
  ['.5', '0.5'],
  ['1E+3', '1000'],
  ['1.5E+300', '1.5e+300'],
  ['n/a', 'n/a'],
])('%s is %s', (stored, shown) => {
  expect(formatStoredNumber(stored)).toBe(shown);
});

test('whatever the exponent, a number stays the number that it is, and shows no exponent', () => {
  const stored = fc
    .double({ min: -1e20, max: 1e20, noNaN: true })
    .filter((value) => value === 0 || Math.abs(value) > 1e-20);
  fc.assert(
    fc.property(stored, fc.boolean(), (value, exponent) => {
      const text = formatStoredNumber(exponent ? value.toExponential() : String(value));
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-14);
    }),
  );
});

test('every digit of a whole number is kept', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (value) => {
      expect(formatStoredNumber(String(value))).toBe(String(value));
    }),
  );
});

test.each([
  ['00000', '501', '00501'],
  ['00000', '123456', '123456'],
  ['"+"0', '60123456789', '+60123456789'],
  ['+0', '60123456789', '+60123456789'],
  ['\\(###\\)\\ ###\\-####', '5551234567', '(555) 123-4567'],
  ['000\\-00\\-0000', '78051120', '078-05-1120'],
  ['0#" "##" "##" "##" "##', '123456789', '01 23 45 67 89'],
])('the format %s shows %s as %s', (code, digits, shown) => {
  const format = parseNumberFormat(code);
  expect(format.kind === 'mask' && formatByMask(digits, format.mask)).toBe(shown);
});

test('a mask that would hide nothing but shows fewer digits than it wants leaves the number as it is', () => {
  const format = parseNumberFormat('(###) ###-####');
  expect(format.kind === 'mask' && formatByMask('123', format.mask)).toBeNull();
});

test.each([
  'General',
  '0',
  '0.00',
  '#,##0',
  '#,##0.00',
  '# ##0',
  '0%',
  '0.00E+00',
  '# ?/?',
  '@',
  '"EUR" 0',
  '[Red]0;-0',
  '0_);(0)',
  '$0',
  '0 "kg"',
  '-0',
])('the format %s changes nothing of a number', (code) => {
  expect(parseNumberFormat(code)).toEqual({ kind: 'plain' });
});
