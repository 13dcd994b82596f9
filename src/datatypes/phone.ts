import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { comparablePhoneDigits } from '../model/phone-forms.ts';
import { createCellError, maxShortCellLength, type ParsedCell, quoteCell } from './data-type.ts';
import { phoneNames, removeValueLabel } from './labels.ts';
import { collapseWhiteSpace } from './whitespace.ts';

/**
 * Parses a phone into E.164. `country` (ISO 3166-1 alpha-2) is used for numbers without a country code; an extension is
 * left out with a note, because E.164 has none.
 */
export function parsePhone(cell: string, country: string | undefined): ParsedCell<string> {
  if (cell.length > maxShortCellLength)
    return createCellError(`${quoteCell(cell)} is far too long for a phone number.`);
  const written = cleanedNumber(cell);
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined;
  if (isRounded(written)) return createCellError(roundedWords(cell, written));
  for (const spelling of spellings(written, home)) {
    const found = parsed(spelling, home);
    if (found?.isValid()) return accepted(found, cell, written);
  }
  return createCellError(whatIsWrong(cell, written, home));
}

function parsed(text: string, home: CountryCode | undefined): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
}

/** Matches the exponent of a rounded number, and a number of six significant digits, as which 4.91711E+11 is written out. */
const roundedShape = /^(?:\d(?:[.,]\d+)?E\+?\d+|(?=\d{11,15}$)[1-9]\d{0,5}0{5,})$/i;

/** Matches a number with a plus that may be right, and ends in so many zeros that it may also be a rounded one. */
const perhapsRoundedShape = /^\+(?=\d{11,15}$)(?:[1-9]\d{0,5}0{5,}|\d+0{6})$/;

function isRounded(written: string): boolean {
  return roundedShape.test(written);
}

/** Returns true if a spreadsheet has rounded the number, or probably has: its last digits are lost. */
export function isRoundedPhone(cell: string): boolean {
  return cell.length <= maxShortCellLength && isRounded(cleanedNumber(cell));
}

function roundedWords(cell: string, written: string): string {
  return /e/i.test(written)
    ? `${quoteCell(cell)} was rounded by a spreadsheet, its last digits are lost; export the column as text.`
    : `${quoteCell(cell)} ends in zeros, like a number that a spreadsheet has rounded; export the column as text. If it is right, write it with a plus.`;
}

/** Fast path for most cells: matches a number with nothing around it. */
const nothingAround = /^[+(]?\d[\d ()/-]*\d$/;

/**
 * Normalizes spaces and full-width forms, and removes what other programs add: an apostrophe, a scheme (`tel:`), a
 * fraction (`.0`).
 */
function cleanedNumber(cell: string): string {
  if (nothingAround.test(cell)) return cell;
  // NFKC turns ´ into a space and an accent.
  return (
    collapseWhiteSpace(cell.replaceAll('´', "'").normalize('NFKC'))
      .replace(/^['’‘`ʼ\s]+|['’]+$/g, '')
      // Facebook's lists of leads write p: before a phone.
      .replace(/^(?:tel|callto|whatsapp|p):\s*/i, '')
      .replace(/^(\+?\d{6,})\.0+$/, '$1')
  );
}

const label =
  /^(?:tel(?:e(?:fono?|phone))?|tél(?:éphone)?|phone|fon|mob(?:ile?|iltelefon)?|m[óo]vil|cel(?:l(?:ulare|phone)?|ular)?|handy|portable|gsm|whatsapp|privat|büro|[tm])(?!\p{L})[\s.:]*(?=[+(\d])/iu;
const extensionLabel =
  /\s*[,-]?\s*(?:durchwahl|dw|nebenstelle|poste|interno|ramal|wew|toestel|anknytning)\b[\s.:]*(?=\d{1,7}$)/i;

/** The trunk zero and the placeholder for a carrier code in Brazilian numbers: the `0xx` of `0xx11`. */
const openCarrier = /(^|\s|\()0\s*(?:xx|\*\*)\s*(?=\d{2}\b)/i;

/** Returns a number without a label before it (`work: 030 …`, `Tel. 030 …`) or in parentheses after it (`030 … (Work)`). */
export function removePhoneLabel(cell: string): string {
  return removeValueLabel(cell, phoneNames)
    .replace(label, '')
    .replace(/(?<=\d)\s*\(\p{L}[\p{L}\s.]*\)$/u, '');
}

/**
 * Yields the spellings of a number to try, the most likely first: with a plus before the country's own calling code; as
 * written; without labels; with + for a leading 00; without a trunk zero in parentheses; in the current form of an
 * older format.
 */
function* spellings(written: string, home: CountryCode | undefined): Generator<string> {
  yield* withoutPlus(written, home);
  yield written;
  const bare = removePhoneLabel(written).replace(extensionLabel, ' ext. ').replace(openCarrier, '$1');
  if (bare !== written) yield bare;
  const international = bare.replace(/^\(?00[\s.-]*(?=[1-9])/, '+').replace(/^\((\+\d{1,3})\)/, '$1 ');
  if (international !== bare) yield international;
  const withoutTrunkZero = international.replace(/^(\+[\d\s.-]{1,6}?)\s*\(0\)/, '$1 ');
  if (withoutTrunkZero !== international) yield withoutTrunkZero;
  yield* olderForms(international.replace(/[^\d+]/g, ''), home);
}

/**
 * Adds a plus to a number that begins with the calling code of `home`, and yields it. Only for countries whose national
 * numbers begin with 0, where such a number is unlikely to be national.
 */
function* withoutPlus(written: string, home: CountryCode | undefined): Generator<string> {
  if (home === undefined || !/^[1-9]/.test(written)) return;
  const digits = written.replace(/[\s.()-]/g, '');
  if (!digits.startsWith(getCountryCallingCode(home))) return;
  const found = parsed(`+${digits}`, undefined);
  if (!found?.isValid() || found.nationalNumber.length < 9) return;
  const hasTrunkZero = found.formatNational().startsWith('0') && !found.nationalNumber.startsWith('0');
  if (hasTrunkZero) yield `+${digits}`;
}

/**
 * Yields the current form of a number in an older form: in Mexico with 1, 01, 044 or 045 before the number, in Brazil
 * without the ninth digit of mobile numbers, in Argentina with 0 after the mobile 9, or with both the international 9
 * and the domestic 15.
 */
function* olderForms(digits: string, home: CountryCode | undefined): Generator<string> {
  const [, area, brazilian] =
    /^\+550?(\d\d)([6-9]\d{7})$/.exec(digits) ??
    (home === 'BR' ? /^(?:55)?0?(\d\d)([6-9]\d{7})$/.exec(digits) : null) ??
    [];
  if (area !== undefined) yield `+55${area}9${brazilian}`;
  const [, mexican] =
    /^\+52(?:1|01|044|045)(\d{10})$/.exec(digits) ??
    (home === 'MX' ? /^(?:52)?(?:1|01|044|045)(\d{10})$/.exec(digits) : null) ??
    [];
  if (mexican !== undefined) yield `+52${mexican}`;
  const [, argentine] = /^\+5490(\d{10})$/.exec(digits) ?? [];
  if (argentine !== undefined) yield `+549${argentine}`;
  const [, both = ''] = /^\+?5490?(\d{12})$/.exec(digits) ?? [];
  for (const area of [2, 3, 4])
    if (both.startsWith('15', area)) yield `+549${both.slice(0, area)}${both.slice(area + 2)}`;
}

function accepted(found: PhoneNumber, cell: string, written: string): ParsedCell<string> {
  const value: string = found.number;
  if (perhapsRoundedShape.test(written)) {
    const reason = `${quoteCell(cell)} ends in zeros, like a number that a spreadsheet has rounded; compare it with the old system.`;
    return { ok: true, value, note: { problem: 'rounded', reason } };
  }
  if (!found.ext) return { ok: true, value };
  const reason = `The extension ${found.ext} is left out: the phone of a contact is an E.164 number, which has no extension.`;
  return { ok: true, value, note: { problem: 'extension', reason } };
}

/** Returns true if a cell may be a phone and has no country code. */
export function isPhoneWithoutCountryCode(cell: string): boolean {
  if (cell.length > maxShortCellLength) return false;
  const written = removePhoneLabel(cleanedNumber(cell));
  return !international.test(written) && /\d{2}/.test(written) && !hasLetters(written);
}

const international = /^\(?(?:\+|00)/;

function hasLetters(written: string): boolean {
  return /\p{L}/u.test(
    written.replace(extensionWord, '').replace(extensionLabel, '').replace(openCarrier, ''),
  );
}

/** Google joins several values of a cell with `:::`. */
const separators = [/[\n\r;|]|:::/, /,|&|\s\/\s|\s(?:ou?|or|oder|und|and|et|[uye]|en|of)\s/i, /\//];

/** Separators that may also be within one number: a plus, a dash, two spaces. */
const possibleSeparators = [/\s+(?=\+)/, /\s\+\s/, /\s[-–—]\s/, /\s{2,}/];

/**
 * Returns the parts of a cell with several phones, not trimmed; [] for any other cell. A separator that may also be
 * within a number splits only if each part is a valid phone, parsed with `country`.
 */
export function splitPhones(cell: string, country: string | undefined): readonly string[] {
  const found = partsOf(cell, separators, isLongEnough);
  if (found.length > 0 || cell.length > maxShortCellLength) return found;
  return partsOf(
    cell,
    possibleSeparators,
    (part) => isLongEnough(part) && parsePhone(part.trim(), country).ok,
  );
}

function partsOf(cell: string, by: readonly RegExp[], isOne: (part: string) => boolean): readonly string[] {
  for (const separator of by) {
    const parts = cell.split(separator).filter((part) => /\S/.test(part));
    if (parts.length > 1 && parts.every(isOne)) return parts;
  }
  return [];
}

function isLongEnough(part: string): boolean {
  return part.replace(/\D/g, '').length >= fewestDigits;
}

const fewestDigits = 6;
const mostDigits = 17;

/**
 * Returns true if a cell has the form of a phone of any country (digits, separators, perhaps an extension) and not that
 * of a date.
 */
export function looksLikePhone(cell: string): boolean {
  const bare = cleanedNumber(cell)
    .replace(/\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i, '')
    .replace(/^tel:/i, '');
  if (!/^[+(\d][\d\s().\-–—/+]*$/.test(bare)) return false;
  if (/^\d{4}-\d{2}-\d{2}/.test(bare) || /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(bare)) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits >= fewestDigits && digits <= mostDigits;
}

const extensionWord = /(?:ext(?:ension|n)?|x|int|anexo)[\s.:#]*\d+$/i;

function whatIsWrong(cell: string, written: string, home: CountryCode | undefined): string {
  const isInternational = international.test(written);
  const digits = written.replace(/\D/g, '');
  if (digits.length === 0) return `${quoteCell(cell)} is not a phone number: it has no digits.`;
  if (splitPhones(written, home).length > 0) {
    return `${quoteCell(cell)} seems to be several numbers; set "split" for the field, or choose one.`;
  }
  if (hasLetters(written)) {
    return `${quoteCell(cell)} is not a phone number: it has letters.`;
  }
  if (!isInternational && home === undefined) {
    return `${quoteCell(cell)} has no country code, and neither the row nor the mapping has a country for it; write it like +60123456789, or set a country for the phone.`;
  }
  const candidate = isInternational ? written.replace(/^\(?00/, '+') : written;
  const mistake = validatePhoneNumberLength(candidate, home);
  const where = isInternational ? 'the country it names' : home;
  switch (mistake) {
    case 'TOO_SHORT':
      return `${quoteCell(cell)} has too few digits for a phone number of ${where}.`;
    case 'TOO_LONG':
      return `${quoteCell(cell)} has too many digits for a phone number of ${where}.`;
    case 'INVALID_COUNTRY':
      return `${quoteCell(cell)} begins with a country code that does not exist.`;
    case 'NOT_A_NUMBER':
      return `${quoteCell(cell)} is not a phone number; one looks like +60 12-345 6789.`;
    default:
      return `${quoteCell(cell)} is not a valid number of ${where}; check its area code and country.`;
  }
}

/** Returns the ISO 3166-1 alpha-2 code of the country of a phone with a country code; undefined for any other cell. */
export function findPhoneCountry(cell: string): string | undefined {
  const found = parsePhone(cell, undefined);
  return found.ok ? parsed(found.value, undefined)?.country : undefined;
}

/** Returns true if two phones are one number, in whichever of its forms, with a plus, 00 or neither. */
export function isSamePhone(readBack: string, wanted: string): boolean {
  return comparablePhoneDigits(readBack) === comparablePhoneDigits(wanted);
}
