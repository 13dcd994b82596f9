import { contactFieldTypes, countryOfPhone } from '../../../datatypes/index.ts';

const usual = 'US GB DE FR ES IT NL PL TR BR MX IN AU MY SG ID JP CN'.split(' ');
const mostShown = 3;
const mostRight = 0.8;

/** A country, and the share of numbers that it has given out. */
export interface PhoneCountry {
  readonly country: string;
  readonly share: number;
}

/**
 * The countries in which most of the numbers without a country code are right, the likeliest first: those that have given
 * out numbers beside them before others.
 */
export function phoneCountries(
  numbers: readonly string[],
  international: readonly string[],
): readonly PhoneCountry[] {
  if (numbers.length === 0) return [];
  const beside = new Map<string, number>();
  for (const country of international.flatMap((number) => countryOfPhone(number) ?? []))
    beside.set(country, (beside.get(country) ?? 0) + 1);
  return [...new Set([...usual, ...beside.keys()])]
    .map((country) => {
      const right = numbers.filter((number) => contactFieldTypes.phone.parse(number, country).ok).length;
      const share = right / numbers.length;
      return { country, share, beside: share >= mostRight ? (beside.get(country) ?? 0) : 0 };
    })
    .filter(({ share }) => share > 0.1)
    .sort((a, b) => b.beside - a.beside || b.share - a.share)
    .slice(0, mostShown);
}
