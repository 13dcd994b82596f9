import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { foldedCountry, foreignNames, type OwnNames, ownNames } from './country-names.ts';
import { invalid, longestShort, type Parsed, quoted } from './data-type.ts';
import { remembered } from './remembered.ts';

let own: OwnNames | undefined;
let foreign: ReadonlyMap<string, string> | undefined;

/** Of the countries that share a country code, the one that is meant by it. */
const mainCountries = new Set('AU CW FI GB GP IT MA NO RE RU SH US'.split(' '));
/** The country codes that say too little of a contact's country, and enough to dial. */
const sharedCodes = new Set(['1', '7']);

/** The ISO 3166-1 alpha-2 code of a country's name in any of forty languages, an alpha-3, an alpha-2 or a dial code. */
export function countryCodeOf(cell: string): string | undefined {
  const code = phoneCountryOf(cell);
  return code !== undefined && isSharedCode(cell) ? undefined : code;
}

/** As `countryCodeOf`, to read phones with: +1 and +7 are enough. */
export function phoneCountryOf(cell: string): string | undefined {
  return cell.length > longestShort ? undefined : codeOfCell(cell) || undefined;
}

const codeOfCell = remembered(1_000, (cell) => codeOfName(cell) ?? codeOfSeveral(cell) ?? '');

function codeOfName(name: string): string | undefined {
  const key = foldedCountry(name);
  if (key === '') return undefined;
  own ??= ownNames();
  const code = own.codeOf.get(key);
  if (code !== undefined) return code;
  if (/^\+?\d+$/.test(key)) return countryDialled(key, own);
  foreign ??= foreignNames();
  return foreign.get(key);
}

/** "Germany (+49)": where all say the same. */
function codeOfSeveral(cell: string): string | undefined {
  const parts = cell.split(/[()/,;|]|\s[-–:]\s|(?=\+)/).filter((part) => part.trim() !== '');
  if (parts.length < 2 || parts.length > 3) return undefined;
  const codes = new Set(parts.map(codeOfName));
  return codes.size === 1 ? [...codes][0] : undefined;
}

const dialCode = /^(\+|00)?(\d{1,3})$/;

/** The country of +49, 0049, and 49 where no country has that number in ISO 3166-1. */
function countryDialled(key: string, { numbers }: OwnNames): string | undefined {
  const [, prefix, digits = ''] = dialCode.exec(key) ?? [];
  if (prefix === undefined && numbers.has(Number(digits))) return undefined;
  const countries = getCountries().filter((country) => getCountryCallingCode(country) === digits);
  return countries.length === 1 ? countries[0] : countries.find((country) => mainCountries.has(country));
}

function isSharedCode(cell: string): boolean {
  return /\d/.test(cell) && sharedCodes.has(dialCode.exec(foldedCountry(cell))?.[2] ?? '');
}

/** As `countryCodeOf`, with a sentence where the country is not known. */
export function parseCountry(cell: string): Parsed<string> {
  const value = countryCodeOf(cell);
  if (value !== undefined) return { ok: true, value };
  return invalid(
    `${quoted(cell)} is not a country; expected a name or an ISO 3166-1 code such as Malaysia, MYS or MY (values: can translate others).`,
  );
}
