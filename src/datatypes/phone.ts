import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { invalid, longestShort, type Parsed, quoted } from './data-type.ts';
import { withPlainSpaces } from './whitespace.ts';

/**
 * The number in E.164. `country` (ISO 3166-1 alpha-2) reads numbers that are written without a country code; an
 * extension is accepted and left out, with a note, because E.164 has none.
 */
export function parsePhone(cell: string, country: string | undefined): Parsed<string> {
  if (cell.length > longestShort) return invalid(`${quoted(cell)} is far too long for a phone number.`);
  const written = withPlainSpaces(cell).replace(/^tel:\s*/i, '');
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined;
  for (const spelling of spellings(written)) {
    const found = parsed(spelling, home);
    if (found?.isValid()) return accepted(found);
  }
  return invalid(whatIsWrong(cell, written, home));
}

function parsed(text: string, home: CountryCode | undefined): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
}

/**
 * What a person may have meant, the written form first: 00 for the plus, a country code in parentheses, a zero in parentheses
 * that is not dialled, a word before the number or behind it that says which one it is.
 */
function* spellings(written: string): Generator<string> {
  yield written;
  const bare = written
    .replace(
      /^(?:(?:tele)?(?:phone|fon)|tel|mob(?:ile?)?|cell|handy|privat|büro|[tm])\b[\s.:]*(?=[+(\d])/i,
      '',
    )
    .replace(/(?<=\d)\s*\(\p{L}[\p{L}\s.]*\)$/u, '');
  if (bare !== written) yield bare;
  const international = bare.replace(/^\(?00[\s.-]*(?=[1-9])/, '+').replace(/^\((\+\d{1,3})\)/, '$1 ');
  if (international !== bare) yield international;
  const withoutTrunkZero = international.replace(/^(\+[\d\s.-]{1,6}?)\s*\(0\)/, '$1 ');
  if (withoutTrunkZero !== international) yield withoutTrunkZero;
}

function accepted(found: PhoneNumber): Parsed<string> {
  const value: string = found.number;
  if (!found.ext) return { ok: true, value };
  const reason = `The extension ${found.ext} is left out: the phone of a contact is an E.164 number, which has no extension.`;
  return { ok: true, value, note: { problem: 'extension', reason } };
}

const fewestDigits = 6;
const mostDigits = 17;

/** Whether a cell could be a phone number, whatever its country: digits, what people put between them, an extension. */
export function isPhoneShaped(cell: string): boolean {
  const bare = cell.replace(/\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i, '').replace(/^tel:/i, '');
  if (!/^[+(\d][\d\s().\-–—/+]*$/.test(bare)) return false;
  if (/^\d{4}-\d{2}-\d{2}/.test(bare) || /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(bare)) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits >= fewestDigits && digits <= mostDigits;
}

const extensionWord = /(?:ext(?:ension|n)?|x|int|anexo)[\s.:#]*\d+$/i;

function whatIsWrong(cell: string, written: string, home: CountryCode | undefined): string {
  const isInternational = /^\(?(?:\+|00)/.test(written);
  const digits = written.replace(/\D/g, '');
  if (digits.length === 0) return `${quoted(cell)} is not a phone number: it has no digits.`;
  if (holdsSeveral(written)) {
    return `${quoted(cell)} seems to be several numbers; set "split" for the field, or choose one.`;
  }
  if (/\p{L}/u.test(written.replace(extensionWord, ''))) {
    return `${quoted(cell)} is not a phone number: it has letters.`;
  }
  if (!isInternational && home === undefined) {
    return `${quoted(cell)} has no country code, and neither the row nor the mapping has a country for it; write it like +60123456789, or set a country for the phone.`;
  }
  const candidate = isInternational ? written.replace(/^\(?00/, '+') : written;
  const mistake = validatePhoneNumberLength(candidate, home);
  const where = isInternational ? 'the country it names' : home;
  switch (mistake) {
    case 'TOO_SHORT':
      return `${quoted(cell)} has too few digits for a phone number of ${where}.`;
    case 'TOO_LONG':
      return `${quoted(cell)} has too many digits for a phone number of ${where}.`;
    case 'INVALID_COUNTRY':
      return `${quoted(cell)} begins with a country code that does not exist.`;
    case 'NOT_A_NUMBER':
      return `${quoted(cell)} is not a phone number; one looks like +60 12-345 6789.`;
    default:
      return `${quoted(cell)} is not a valid number of ${where}; check its area code and country.`;
  }
}

/** Whether a character parts two numbers that are each long enough to be one; a slash may also part the area code. */
function holdsSeveral(written: string): boolean {
  return written.split(/[/;,|]/).filter((part) => part.replace(/\D/g, '').length >= fewestDigits).length > 1;
}

/** The country that has given out a number which is written with its country code. */
export function countryOfPhone(cell: string): string | undefined {
  const found = parsePhone(cell, undefined);
  return found.ok ? parsed(found.value, undefined)?.country : undefined;
}

/** Whether two numbers have the same digits, however they are written. */
export function samePhone(readBack: string, wanted: string): boolean {
  return digitsOf(readBack) === digitsOf(wanted);
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '').replace(/^00/, '');
}
