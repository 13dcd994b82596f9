import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Countries from 'i18n-iso-countries';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import * as z from 'zod';
import { createCellError, maxShortCellLength, memoize, type ParsedCell, quoteCell } from './data-type.ts';
import { collapseWhiteSpace } from './whitespace.ts';

/**
 * Spellings found in real exports that i18n-iso-countries lacks, by alpha-2 code; ISO 3166 reserves UK for
 * GB.
 */
const aliases: Readonly<Record<string, readonly string[]>> = {
  AE: ['Emirates', 'U.A.E.'],
  BA: ['Bosnia'],
  BN: ['Brunei'],
  BO: ['Plurinational State of Bolivia', 'Bolivia, Plurinational State of'],
  CD: [
    'DR Congo',
    'DRC',
    'Congo, The Democratic Republic of the',
    'Congo-Kinshasa',
    'Congo, Democratic Republic',
  ],
  CG: ['Congo', 'Congo-Brazzaville'],
  CN: ['PR China', 'Mainland China', "China, People's Republic of"],
  CZ: ['Tschechei'],
  CV: ['Cabo Verde'],
  DE: ['BRD', 'Bundesrepublik Deutschland', 'FRG'],
  FK: ['Falkland Islands'],
  FM: ['Micronesia'],
  GB: [
    ...['UK', 'U.K.', 'England', 'Scotland', 'Wales', 'Northern Ireland', 'Britain'],
    ...[
      'Großbritannien',
      'Angleterre',
      'Inglaterra',
      'Inghilterra',
      'Gran Bretaña',
      'Grande-Bretagne',
      'Gran Bretagna',
    ],
    ...['Grã-Bretanha', 'Groot-Brittannië', 'Engeland', 'İngiltere', 'Anglia', 'Storbritannien', 'Англия'],
  ],
  HK: ['Hong Kong SAR', 'Hong Kong SAR China', 'Hongkong'],
  IR: ['Iran'],
  KP: ['North Korea', "Democratic People's Republic of Korea", "Korea, Democratic People's Republic of"],
  KR: ['Korea', 'Korea South', 'Korea, South', 'Republic Korea'],
  LA: ['Laos', "Lao People's Democratic Republic"],
  LY: ['Libya', 'Libyan Arab Jamahiriya'],
  MD: ['Moldova'],
  MF: ['Saint Martin'],
  MK: ['Macedonia', 'FYROM'],
  MM: ['Burma', 'Myanmar (Burma)'],
  MO: ['Macau', 'Macao SAR'],
  NL: ['Holland', 'Holanda', 'Hollande', 'Olanda', 'Голландия'],
  PS: ['Palestinian Territory', 'Palestinian Territories', 'Palestinian Territory, Occupied'],
  RU: ['Russian Fed'],
  SX: ['Sint Maarten'],
  SY: ['Syria', 'Syrian Arab Republic'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TZ: ['Tanzania', 'Tanzania, United Republic of'],
  US: [
    'America',
    'United States of America (USA)',
    'US of A',
    'U.S. of A.',
    'Amerika',
    'Vereinigte Staaten von Amerika',
  ],
  VA: ['Vatican', 'Vatican City', 'Holy See'],
  VE: ['Venezuela', 'Venezuela, Bolivarian Republic of'],
  VG: ['British Virgin Islands'],
  VI: ['US Virgin Islands'],
  VN: ['Vietnam', 'Viet Nam'],
};

const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g;
const punctuation = /[.,'’()[\]]/g;
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  ı: 'i',
  đ: 'd',
};

/** Normalizes a name for lookups: drops case, accents, punctuation, spaces and a leading "the". */
function foldedCountry(name: string): string {
  return collapseWhiteSpace(
    name
      .normalize('NFD')
      .replace(marks, '')
      .toLowerCase()
      .replace(/[ßøæœłıđ]/g, (letter) => letters[letter] ?? letter)
      .replace(punctuation, '')
      .replace(/&/g, ' and ')
      .replace(/[-–/]/g, ' ')
      .replace(/\bst\b/g, 'saint'),
  )
    .replace(/^the /, '')
    .replaceAll(' ', '');
}

const requireModule = createRequire(import.meta.url);

/** Collects names with their codes; `table` leaves out names that two countries share. */
class NameTable {
  readonly #found = new Map<string, string>();
  readonly #ambiguous = new Set<string>();

  add(name: string, code: string): void {
    const key = foldedCountry(name);
    if ((this.#found.get(key) ?? code) !== code) this.#ambiguous.add(key);
    this.#found.set(key, code);
  }

  table(): Map<string, string> {
    for (const key of this.#ambiguous) this.#found.delete(key);
    return this.#found;
  }
}

interface EnglishNames {
  /** Alpha-2 codes by alpha-2 and alpha-3 codes, English names and common spellings, all normalized. */
  readonly codeOf: ReadonlyMap<string, string>;
  /** The numeric codes of ISO 3166-1. */
  readonly numbers: ReadonlySet<number>;
}

/** Loads the codes and the English names. */
function loadEnglishNames(): EnglishNames {
  // The package's main entry loads every language.
  const countries: typeof Countries = requireModule('i18n-iso-countries/index.js');
  countries.registerLocale(requireModule('i18n-iso-countries/langs/en.json'));
  const names = new NameTable();
  for (const [code, spellings] of Object.entries(countries.getNames('en', { select: 'all' }))) {
    for (const name of spellings) names.add(name, code);
  }
  // A name that two countries share (Congo) is not in this table; the aliases below decide it.
  const codeOf = names.table();
  for (const [code, alpha3] of Object.entries(countries.getAlpha2Codes())) {
    codeOf.set(foldedCountry(code), code);
    codeOf.set(foldedCountry(alpha3), code);
  }
  for (const [code, spellings] of Object.entries(aliases))
    for (const name of spellings) codeOf.set(foldedCountry(name), code);
  return { codeOf, numbers: new Set(Object.keys(countries.getNumericCodes()).map(Number)) };
}

const languages =
  `ar bg ca cs da de el es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr
  uk vi zh`.split(/\s+/);
const variants = ['zh-Hant', 'sr-Latn', 'pt-PT'];
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

/**
 * Loads the names in other languages, from the package and Intl; takes 0.1 s, so it is called on demand only.
 */
function loadOtherLanguages(): ReadonlyMap<string, string> {
  const names = new NameTable();
  const add = (name: string, code: string, language: string): void => {
    // One or two Latin letters are taken for a code, not for a name.
    if (/^[\p{sc=Latn}\P{L}]{0,2}$/u.test(foldedCountry(name))) return;
    names.add(name, code);
    if (language === 'de')
      names.add(
        name.replace(/[äöüÄÖÜ]/g, (letter) => umlauts[letter] ?? letter),
        code,
      );
  };
  const codes = new Set<string>();
  for (const language of languages) {
    for (const [code, spellings] of Object.entries(namesIn(language))) {
      codes.add(code);
      for (const name of [spellings].flat()) add(name, code, language);
    }
  }
  for (const language of [...languages, ...variants]) {
    for (const style of ['long', 'short'] as const) {
      const platform = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' });
      for (const code of codes) add(platform.of(code) ?? '', code, language);
    }
  }
  return names.table();
}

const languageFile = z.object({
  countries: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});

function namesIn(language: string): z.output<typeof languageFile>['countries'] {
  const path = requireModule.resolve(`i18n-iso-countries/langs/${language}.json`);
  return languageFile.parse(JSON.parse(readFileSync(path, 'utf8'))).countries;
}

let englishNames: EnglishNames | undefined;
let otherLanguages: ReadonlyMap<string, string> | undefined;

/** The main country of each dial code that several countries share, such as GB for +44. */
const mainCountries = new Set('AU CW FI GB GP IT MA NO RE RU SH US'.split(' '));
/** Dial codes shared by countries with separate numbering: they suffice to parse a phone, but not to set a country. */
const sharedCodes = new Set(['1', '7']);

/**
 * Returns the ISO 3166-1 alpha-2 code of a country's name in any of about forty languages, an alpha-3 or
 * alpha-2 code, or a dial code; undefined for an unknown country, and for +1 and +7, which several countries
 * share.
 */
export function parseCountryCode(cell: string): string | undefined {
  const code = parseCountryForPhones(cell);
  return code !== undefined && isSharedCode(cell) ? undefined : code;
}

/**
 * Returns the country whose phones begin with a dial code: +49, 0049 or 49, also where the digits are a numeric code of
 * ISO 3166-1, too; undefined for any other text.
 */
export function findDialledCountry(cell: string): string | undefined {
  const digits = dialCode.exec(cell.trim())?.[2];
  return digits === undefined ? undefined : parseCountryForPhones(`+${digits}`);
}

/** Lists the ISO 3166-1 alpha-2 codes of all countries that have phone numbers of their own. */
export function listCountryCodes(): readonly string[] {
  englishNames ??= loadEnglishNames();
  const known = new Set(englishNames.codeOf.values());
  // The territories that only the phone numbers know, such as AC, are no countries of ISO 3166-1.
  return getCountries().filter((code) => known.has(code));
}

/**
 * Returns the code as `parseCountryCode` does, and also US for +1 and RU for +7: to parse a phone, any country of
 * the dial code is enough.
 */
export function parseCountryForPhones(cell: string): string | undefined {
  return cell.length > maxShortCellLength ? undefined : codeOfCell(cell) || undefined;
}

const codeOfCell = memoize(1_000, (cell) => codeOfName(cell) ?? codeOfSeveral(cell) ?? '');

function codeOfName(name: string): string | undefined {
  const key = foldedCountry(name);
  if (key === '') return undefined;
  englishNames ??= loadEnglishNames();
  const code = englishNames.codeOf.get(key);
  if (code !== undefined) return code;
  if (/^\+?\d+$/.test(key)) return countryDialled(key, englishNames);
  otherLanguages ??= loadOtherLanguages();
  return otherLanguages.get(key);
}

/** Returns the country of a cell with several parts, such as "Germany (+49)", if all of them name the same one. */
function codeOfSeveral(cell: string): string | undefined {
  const parts = cell.split(/[()/,;|]|\s[-–:]\s|(?=\+)/).filter((part) => part.trim() !== '');
  if (parts.length < 2 || parts.length > 3) return undefined;
  const codes = new Set(parts.map(codeOfName));
  return codes.size === 1 ? [...codes][0] : undefined;
}

const dialCode = /^(\+|00)?(\d{1,3})$/;

/** Returns the country of a dial code: +49, 0049, or 49 if that is not a numeric code of ISO 3166-1. */
function countryDialled(key: string, { numbers }: EnglishNames): string | undefined {
  const [, prefix, digits = ''] = dialCode.exec(key) ?? [];
  if (prefix === undefined && numbers.has(Number(digits))) return undefined;
  const countries = getCountries().filter((country) => getCountryCallingCode(country) === digits);
  return countries.length === 1 ? countries[0] : countries.find((country) => mainCountries.has(country));
}

function isSharedCode(cell: string): boolean {
  return /\d/.test(cell) && sharedCodes.has(dialCode.exec(foldedCountry(cell))?.[2] ?? '');
}

/** Parses a cell as `parseCountryCode` does, with an error for an unknown country. */
export function parseCountryCell(cell: string): ParsedCell<string> {
  const value = parseCountryCode(cell);
  if (value !== undefined) return { ok: true, value };
  return createCellError(
    `${quoteCell(cell)} is not a country; expected a name or an ISO 3166-1 code such as Malaysia, MYS or MY (values: can translate others).`,
  );
}
