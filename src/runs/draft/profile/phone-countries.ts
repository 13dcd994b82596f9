import { contactFieldTypes } from '../../../datatypes/index.ts';

const usual = [
  'US',
  'GB',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'PL',
  'TR',
  'BR',
  'MX',
  'IN',
  'AU',
  'MY',
  'SG',
  'ID',
  'JP',
  'CN',
];
const mostShown = 3;

/** A country, and the share of numbers that it has given out. */
export interface PhoneCountry {
  readonly country: string;
  readonly share: number;
}

/** The countries in which most of the numbers without a country code are right, the likeliest first. */
export function phoneCountries(numbers: readonly string[]): readonly PhoneCountry[] {
  if (numbers.length === 0) return [];
  return usual
    .map((country) => {
      const right = numbers.filter((number) => contactFieldTypes.phone.parse(number, country).ok).length;
      return { country, share: right / numbers.length };
    })
    .filter(({ share }) => share > 0.1)
    .sort((a, b) => b.share - a.share)
    .slice(0, mostShown);
}
