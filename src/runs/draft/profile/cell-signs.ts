import { contactFieldTypes, countryCodeOf, dataTypes } from '../../../datatypes/index.ts';
import { foreignCountry } from './foreign-countries.ts';

/** What single cells are tested for. */
export const cellSigns = {
  email: (cell: string) => cell.includes('@') && contactFieldTypes.email.parse(cell, undefined).ok,
  /** A number with its country code that has been given out. */
  international: (cell: string) =>
    /^\(?(?:\+|00)/.test(cell) && isPhoneShaped(cell) && contactFieldTypes.phone.parse(cell, undefined).ok,
  phoneShaped: isPhoneShaped,
  /** A number that does not say its country. */
  national: (cell: string) => !/^\(?(?:\+|00)/.test(cell) && isPhoneShaped(cell),
  url: (cell: string) =>
    /^(?:https?:\/\/|www\.)/i.test(cell) && contactFieldTypes.profilePic.parse(cell, undefined).ok,
  /** The same, also where nothing stands before the host. */
  urlLike: (cell: string) => domainShape.test(cell) && contactFieldTypes.profilePic.parse(cell, undefined).ok,
  time: (cell: string) => /^\d{1,2}:\d{2}/.test(cell) && timeReader.read(cell).ok,
  country: (cell: string) => (countryCodeOf(cell) ?? foreignCountry(cell)) !== undefined,
  englishCountry: (cell: string) => countryCodeOf(cell) !== undefined,
  language: (cell: string) => contactFieldTypes.language.parse(cell, undefined).ok,
  /** A word or two that begin with capitals, or a word in a script without capitals: it may be a name. */
  nameLike: (cell: string) => cell.length <= 40 && nameShape.test(cell),
  severalWords: (cell: string) => /\S\s+\S/.test(cell),
  commaName: (cell: string) => /^[^,\d]+,\s*[^,\d]+$/.test(cell),
  list: (cell: string) => /^\[.*\]$/s.test(cell),
  objects: (cell: string) => /^\[\s*\{/.test(cell),
  html: (cell: string) => /<(?:p|br|div|span|a|b|ul|li|table)\b[^>]*>/i.test(cell),
  seconds: (cell: string) => /^\d{9,10}$/.test(cell),
  milliseconds: (cell: string) => /^\d{12,13}$/.test(cell),
  semicolon: (cell: string) => cell.includes(';'),
  comma: (cell: string) => cell.includes(','),
  bar: (cell: string) => cell.includes('|'),
  colons: (cell: string) => cell.includes(' ::: '),
  control: (cell: string) => cell.includes('\u0001'),
} as const satisfies Record<string, (cell: string) => boolean>;

export type CellSign = keyof typeof cellSigns;

const timeReader = dataTypes.time.reader({}, {});
const nameShape =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}+|(?:de|da|do|dos|van|von|der|den|la|le|bin|binti|al|el)\b)(?:\s+\S+)*$/u;

const domainShape =
  /^(?:https?:\/\/)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/iu;

const fewestDigits = 6;
const mostDigits = 17;

/** Whether a cell could be a phone number, whatever its country: digits, what people put between them, an extension. */
function isPhoneShaped(cell: string): boolean {
  const bare = cell.replace(/\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i, '').replace(/^tel:/i, '');
  if (!/^[+(\d][\d\s().\-–—/+]*$/.test(bare)) return false;
  if (/^\d{4}-\d{2}-\d{2}/.test(bare) || /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(bare)) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits >= fewestDigits && digits <= mostDigits;
}
