import {
  type CountryCode,
  getExampleNumber,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import type { Random } from './random.ts';
import type { phoneShares } from './shares.ts';

export type PhoneForm = keyof typeof phoneShares;

/** A number as a cell has it, and what it is: the first of a cell is the one that a person would dial. */
export interface WrittenPhone {
  readonly form: PhoneForm;
  readonly raw: string;
  readonly numbers: readonly string[];
}

function known(text: string): PhoneNumber {
  const found = parsePhoneNumberFromString(text);
  if (found === undefined) throw new Error(`${text} is no number.`);
  return found;
}

/** Gives numbers of a country that are valid by its plan, each once. */
export function phoneBook(random: Random): (country: CountryCode) => string {
  const taken = new Set<string>();
  return (country) => {
    const example = getExampleNumber(country, examples);
    if (example === undefined) throw new Error(`No example number of ${country}.`);
    for (;;) {
      const digits = String(random.int(0, 99_999)).padStart(5, '0');
      const number = `${example.number.slice(0, -5)}${digits}`;
      if (taken.has(number) || !known(number).isValid()) continue;
      taken.add(number);
      return number;
    }
  };
}

const trunkZero = new Set<string>(['DE', 'FR', 'GB', 'NL', 'AT', 'CH', 'BE', 'JP', 'AU']);

/** Whether a number of the country can be written in this way at all. */
export function canBeWritten(form: PhoneForm, country: CountryCode): boolean {
  if (form === 'trunkInParentheses' || form === 'lostZero') return trunkZero.has(country);
  if (form === 'fromNorthAmerica') return country !== 'US' && country !== 'CA';
  return true;
}

/** The number in one of the forms; `other` is the second one of a cell with two. */
export function writePhone(
  number: string,
  form: PhoneForm,
  other: () => string,
  random: Random,
): WrittenPhone {
  const phone = known(number);
  const international = phone.formatInternational();
  const national = phone.formatNational();
  const behindCode = international.slice(`+${phone.countryCallingCode}`.length).trim();
  const one = (raw: string): WrittenPhone => ({ form, raw, numbers: [number] });
  switch (form) {
    case 'e164':
      return one(number);
    case 'international':
      return one(random.chance(0.3) ? international.replaceAll(' ', '-') : international);
    case 'national':
      return one(random.chance(0.3) ? national.replaceAll(' ', '') : national);
    case 'zeros':
      return one(`00${random.chance(0.5) ? number.slice(1) : international.slice(1)}`);
    case 'fromNorthAmerica':
      return one(`011 ${international.slice(1)}`);
    case 'trunkInParentheses':
      return one(`+${phone.countryCallingCode} (0)${behindCode}`);
    case 'apostrophe':
      return one(`'${random.chance(0.5) ? national : number}`);
    case 'extension':
      return one(`${international} ${random.pick(['ext. ', 'x', 'ext ', 'x '])}${random.int(11, 989)}`);
    case 'twoNumbers': {
      const second = other();
      const raw = `${international}${random.pick([' / ', '; ', ', '])}${known(second).formatInternational()}`;
      return { form, raw, numbers: [number, second] };
    }
    case 'lostZero':
      return one(phone.nationalNumber);
    case 'tel':
      return one(`tel:${number}`);
    case 'foreign':
      return one(olderForm(phone) ?? international);
  }
}

/** Mexican mobiles with the 1 that was dialled until 2019, Argentinian ones with the 15 of calls from home. */
function olderForm({ country, nationalNumber }: PhoneNumber): string | undefined {
  const digits: string = nationalNumber;
  if (country === 'MX') return `+52 1 ${digits.slice(0, 2)} ${digits.slice(2, 6)} ${digits.slice(6)}`;
  if (country !== 'AR' || !digits.startsWith('911')) return undefined;
  return `+54 9 11 15 ${digits.slice(3, 7)}-${digits.slice(7)}`;
}

/** What stands where a number should be, and is none. */
export function noPhone(random: Random): string {
  return random.pick(['123', '+999 12345', '00000', 'siehe Notiz 5', '4,91512E+12', '12-34']);
}
