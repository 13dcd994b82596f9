import { createRequire } from 'node:module';
import type * as Countries from 'i18n-iso-countries';
import { invalid, longestShort, type Parsed, quoted } from './data-type.ts';
import { remembered } from './remembered.ts';
import { withPlainSpaces } from './whitespace.ts';

/** Spellings that real exports hold and the table does not; UK is reserved for GB in ISO 3166 and means nothing else. */
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
  CV: ['Cabo Verde'],
  FK: ['Falkland Islands'],
  FM: ['Micronesia'],
  GB: ['UK', 'U.K.', 'England', 'Scotland', 'Wales', 'Northern Ireland', 'Britain'],
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
  NL: ['Holland'],
  PS: ['Palestinian Territory', 'Palestinian Territories', 'Palestinian Territory, Occupied'],
  RU: ['Russian Fed'],
  SX: ['Sint Maarten'],
  SY: ['Syria', 'Syrian Arab Republic'],
  SZ: ['Swaziland', 'Eswatini'],
  TL: ['East Timor', 'Timor-Leste'],
  TZ: ['Tanzania', 'Tanzania, United Republic of'],
  US: ['America', 'United States of America (USA)', 'US of A', 'U.S. of A.'],
  VA: ['Vatican', 'Vatican City', 'Holy See'],
  VE: ['Venezuela', 'Venezuela, Bolivarian Republic of'],
  VG: ['British Virgin Islands'],
  VI: ['US Virgin Islands'],
  VN: ['Vietnam', 'Viet Nam'],
};

const marks = /\p{M}/gu;
const punctuation = /[.,'’()[\]]/g;

/** One spelling for lookups: no case, accents, punctuation, leading article. */
function folded(name: string): string {
  return withPlainSpaces(
    name
      .normalize('NFD')
      .replace(marks, '')
      .toLowerCase()
      .replace(punctuation, '')
      .replace(/&/g, ' and ')
      .replace(/[-–/]/g, ' ')
      .replace(/\bst\b/g, 'saint'),
  ).replace(/^the /, '');
}

const load = createRequire(import.meta.url);

let alpha2Of: ReadonlyMap<string, string> | undefined;

function table(): ReadonlyMap<string, string> {
  // The entry of the package reads every language that it has.
  const countries: typeof Countries = load('i18n-iso-countries/index.js');
  countries.registerLocale(load('i18n-iso-countries/langs/en.json'));
  const found = new Map<string, string>();
  const ambiguous = new Set<string>();
  const add = (name: string, code: string): void => {
    const key = folded(name);
    const other = found.get(key);
    if (other !== undefined && other !== code) ambiguous.add(key);
    found.set(key, code);
  };
  for (const [code, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
    for (const name of names) add(name, code);
  }
  // What two countries share (the Congo) is left to the aliases, which decide, or else to nobody.
  for (const key of ambiguous) found.delete(key);
  for (const [code, alpha3] of Object.entries(countries.getAlpha2Codes())) {
    found.set(folded(code), code);
    found.set(folded(alpha3), code);
  }
  for (const [code, names] of Object.entries(aliases))
    for (const name of names) found.set(folded(name), code);
  return found;
}

/** The ISO 3166-1 alpha-2 code of an English name, a common other spelling, an alpha-3 or an alpha-2 code. */
export function countryCodeOf(cell: string): string | undefined {
  if (cell.length > longestShort) return undefined;
  alpha2Of ??= table();
  return alpha2Of.get(rememberedFolded(cell));
}

const rememberedFolded = remembered(1_000, folded);

/** As `countryCodeOf`, with a sentence where the country is not known. */
export function parseCountry(cell: string): Parsed<string> {
  const value = countryCodeOf(cell);
  if (value !== undefined) return { ok: true, value };
  return invalid(
    `${quoted(cell)} is not a country; expected an English name or an ISO 3166-1 code such as Malaysia, MYS or MY (values: can translate others).`,
  );
}
