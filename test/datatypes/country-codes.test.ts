import { expect, it } from 'vitest';
import { listCountryCodes, parseCountryCode } from '../../src/datatypes/index.ts';

it('the list of countries has the code of each country once, and no code that a cell cannot have', () => {
  const codes = listCountryCodes();
  expect(codes).toEqual(expect.arrayContaining(['AM', 'DE', 'GB', 'GE', 'US', 'XK']));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.map(parseCountryCode)).toEqual(codes);
});
