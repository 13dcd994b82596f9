import { contactFieldTypes, findPhoneCountry } from '../../../datatypes/index.ts';
import type { YamlValue } from '../yaml/entry.ts';

/** Matches digits that may be a whole number with its country code, but no plus. */
const shape = /^[1-9]\d{10,14}$/;
const nearlyAll = 0.9;
const most = 0.8;

const plusBeforeDigits = { pattern: '^([1-9][0-9]{10,14})$', with: '+$1' };

/** Takes the plus off again, because a number with a plus is not taken for a rounded one. */
const noPlusBeforeRounded = { pattern: '^[+]([1-9][0-9]{0,5}0{5,})$', with: '$1' };

/** Returns the option of a rule that puts a plus before such numbers, but for those that a spreadsheet has rounded. */
export function toPlusBeforeDigitsYaml(hasRounded: boolean): { readonly replace: YamlValue } {
  return { replace: hasRounded ? [plusBeforeDigits, noPlusBeforeRounded] : plusBeforeDigits };
}

/**
 * Returns true if nearly all numbers begin with the code of a country, without a plus, as messengers write them: they are
 * of several countries, and not numbers of a single one. No country could be stated for such a column.
 */
export function areWholeWithoutPlus(numbers: readonly string[]): boolean {
  const whole = numbers.filter((number) => shape.test(number));
  const countries = whole.flatMap((number) => findPhoneCountry(`+${number}`) ?? []);
  if (numbers.length < 2 || countries.length < numbers.length * nearlyAll) return false;
  const different = new Set(countries);
  return different.size > 1 && ![...different, ...likely].some((country) => areNational(numbers, country));
}

/** Countries whose own numbers have eleven digits or more. */
const likely = ['CN', 'BR', 'ID', 'DE', 'MX', 'GB', 'IT', 'AT', 'MY'];

function areNational(numbers: readonly string[], country: string): boolean {
  const national = numbers.filter((number) => {
    const parsed = contactFieldTypes.phone.parse(number, country);
    return parsed.ok && parsed.value !== `+${number}`;
  });
  return national.length >= numbers.length * most;
}

/** Returns true for a number that such a plus does not complete. */
export function isOtherwiseNational(number: string): boolean {
  return !shape.test(number);
}
