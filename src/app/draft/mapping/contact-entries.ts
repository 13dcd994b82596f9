import {
  contactFieldTypes,
  findDialledCountry,
  findPhoneCountry,
  parseCountryCode,
  parseCountryForPhones,
} from '../../../datatypes/index.ts';
import { formatTodoPlaceholder } from '../../../model/todo.ts';
import type {
  ColumnWithMeaning,
  ContactColumns,
  NameColumns,
  NameOfAnother,
} from '../columns/contact-columns.ts';
import { maxSampledPhones } from '../profile/column-profile.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { formatWholePercent, toPrintableName, type YamlEntry, type YamlValue } from '../yaml/entry.ts';
import {
  decodingOf,
  formatColumnChoices,
  formatFilledShare,
  formatRowCount,
  toSourceColumnsYaml,
} from './column-words.ts';
import { areWholeWithoutPlus, isOtherwiseNational, toPlusBeforeDigitsYaml } from './unsigned-phones.ts';

const usual = 'US GB DE FR ES IT NL PL TR BR MX IN AU MY SG ID JP CN'.split(' ');
const mostShown = 3;
const mostRight = 0.8;

/** A country, and the share of numbers that are valid in it. */
interface PhoneCountry {
  readonly country: string;
  readonly share: number;
}

/**
 * Returns up to three countries in which more than 10 % of the numbers without a country code are valid. Countries in
 * which at least 80 % are valid and whose code occurs in other numbers come first, the most frequent code first, then
 * those of the e-mail addresses (`domains`); the others follow by share.
 */
function phoneCountries(
  numbers: readonly string[],
  international: readonly string[],
  domains: ReadonlyMap<string, number>,
): readonly PhoneCountry[] {
  if (numbers.length === 0) return [];
  const beside = countEach(international.flatMap((number) => findPhoneCountry(number) ?? []));
  return [...new Set([...usual, ...beside.keys(), ...domains.keys()])]
    .map((country) => {
      const right = numbers.filter((number) => contactFieldTypes.phone.parse(number, country).ok).length;
      const share = right / numbers.length;
      const seenIn = (counts: ReadonlyMap<string, number>) =>
        share >= mostRight ? (counts.get(country) ?? 0) : 0;
      return { country, share, beside: seenIn(beside), domain: seenIn(domains) };
    })
    .filter(({ share }) => share > 0.1)
    .sort((a, b) => b.beside - a.beside || b.domain - a.domain || b.share - a.share)
    .slice(0, mostShown);
}

function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Counts the e-mail addresses that end with the domain of a country, by the country. */
function countEmailCountries(emails: readonly ColumnWithMeaning[]): ReadonlyMap<string, number> {
  return countEach(
    emails
      .flatMap(({ profile }) => profile.values?.frequent(maxSampledPhones) ?? [])
      .flatMap(({ value }) => {
        const [, domain = ''] = /\.(\p{L}{2})$/u.exec(value.trim()) ?? [];
        return domain === '' ? [] : [domain.toLowerCase() === 'uk' ? 'GB' : domain.toUpperCase()];
      }),
  );
}

const mostAlike = 0.5;
const mostAsked = 10;

/** Returns the rule of the phone; the country of numbers without a country code may become a question. */
function phoneEntry(columns: ContactColumns, table: TableProfile, stated: string | undefined): YamlEntry[] {
  const { phones, emails } = columns;
  if (phones.length === 0) return [];
  const value: { [key: string]: YamlValue } = { from: toSourceColumnsYaml(phones) };
  const numbers = phones.flatMap(({ profile }) => profile.national);
  const isUnsigned = columns.dialCode === undefined && areWholeWithoutPlus(numbers);
  const rounded = phones.reduce((sum, { profile }) => sum + profile.phones.rounded, 0);
  if (isUnsigned) Object.assign(value, toPlusBeforeDigitsYaml(rounded > 0));
  const isNeeded = !isUnsigned || numbers.some(isOtherwiseNational);
  const needed = isNeeded ? countryRule(columns, table, stated) : undefined;
  if (needed !== undefined) value.country = needed;
  // With an e-mail the phone is not needed to identify the person: an invalid number is dropped, and the row is kept.
  if (emails.length > 0) value.onInvalid = 'drop';
  const words = isUnsigned
    ? 'numbers without a plus begin with the code of their country'
    : nationalWords(phones);
  const comment = `${formatFilledShare(phones, table)}; ${words}${roundedWords(rounded)}${emails.length > 0 ? '' : aloneWords(phones, table)}`;
  return [{ key: 'phone', value: { plain: value }, comment }];
}

function countryRule(
  { phones, emails, countries: named, dialCode }: ContactColumns,
  { contacts }: TableProfile,
  stated: string | undefined,
): YamlValue | undefined {
  if (national(phones) === 0) return undefined;
  const countries = dialCode === undefined ? named : [dialCode, ...named];
  if (countries.length === 0) {
    if (stated !== undefined) return stated;
    return formatTodoPlaceholder(
      `which country are numbers without a country code from? ${choices(phones, emails)}`,
    );
  }
  const from = { from: toSourceColumnsYaml(countries), ...dialCodeValues(dialCode) };
  if (stated !== undefined) return { ...from, default: stated };
  const without = contacts.nationalWithout(countries.map(({ profile }) => profile.name));
  if (without === undefined) return from;
  const question = formatTodoPlaceholder(
    `which country are phones from that have no country code, in a row without a country (${formatRowCount(without.rows)}, e.g. ${without.at})? Give its code, for example US, GB or DE`,
  );
  return { ...from, default: question };
}

/** Returns the option that says what dial codes mean which a mapping would not take for one, such as 44. */
function dialCodeValues(column: ColumnWithMeaning | undefined): {
  readonly values?: { readonly [cell: string]: string };
} {
  const codes = [...(column?.profile.distinct?.keys() ?? [])].flatMap((cell) => {
    const country = parseCountryForPhones(cell) === undefined ? findDialledCountry(cell) : undefined;
    return country === undefined ? [] : [[cell, country] as const];
  });
  return codes.length === 0 ? {} : { values: Object.fromEntries(codes) };
}

/** Returns the count of numbers without a country code. */
function national(phones: readonly ColumnWithMeaning[]): number {
  return phones.reduce((sum, { profile }) => sum + profile.phones.national, 0);
}

function nationalWords(phones: readonly ColumnWithMeaning[]): string {
  const without = national(phones);
  // Only columns named for phones are counted completely.
  const isSample = phones.some(
    ({ profile }) => !/^(?:phone|mobile)$/.test(profile.role ?? '') && profile.looked < profile.filled,
  );
  const checked = isSample ? ' checked' : '';
  if (without === 0) return `all${checked} with their country code`;
  const all = phones.reduce((sum, { profile }) => sum + profile.phones.shaped, 0);
  const at = phones.find(({ profile }) => profile.phones.at !== undefined)?.profile.phones.at;
  const have = without === 1 ? 'has' : 'have';
  return `${without.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}${checked} ${have} no country code, e.g. ${at}`;
}

function roundedWords(rounded: number): string {
  return rounded === 0
    ? ''
    : `; ${rounded.toLocaleString('en-US')} rounded by a spreadsheet: export the column as text`;
}

/**
 * Returns a warning, for a table without an e-mail column, if fewer than half of the rows have a phone or most phones
 * occur in several rows; otherwise an empty text.
 */
function aloneWords(phones: readonly ColumnWithMeaning[], { rows }: TableProfile): string {
  const filled = phones.reduce((sum, { profile }) => sum + profile.filled, 0);
  if (filled < rows * mostAlike) return '; a row without one is rejected: try another column';
  const shared = phones.every(({ profile: { repeated, looked } }) => repeated > looked * mostAlike);
  return shared ? '; most rows share the same number, which identifies no one: try another column' : '';
}

/** Returns the likely countries of the numbers, in words. */
function choices(phones: readonly ColumnWithMeaning[], emails: readonly ColumnWithMeaning[]): string {
  const numbers = phones.flatMap(({ profile }) => profile.national);
  const international = phones.flatMap(({ profile }) => profile.international);
  const likely = phoneCountries(numbers, international, countEmailCountries(emails)).map(
    ({ country, share }) => `${country} (right for ${formatWholePercent(share, 1)})`,
  );
  return likely.length === 0
    ? 'Give its code, for example US, GB or DE'
    : `Give its code: ${likely.join(', ')} …${numbers.length < maxSampledPhones ? '' : ` (of ${numbers.length} that were tried)`}`;
}

/** Returns the rules of `contact:`; `country` is the stated country of phones without a country code. */
export function buildContactEntries(
  columns: ContactColumns,
  table: TableProfile,
  country: string | undefined,
): readonly YamlEntry[] {
  return [
    ...nameEntries(columns, table),
    ...emailEntry(columns, table),
    ...phoneEntry(columns, table, country),
    ...languageEntry(columns, table),
    ...countryEntry(columns, table),
    ...simple('profilePic', columns.photo, table, { onInvalid: 'drop' }),
  ];
}

function nameEntries(columns: ContactColumns, table: TableProfile): YamlEntry[] {
  const { names, guessed, likelyFullName } = columns;
  const above = guessed ? ['Guessed from the values alone: please verify.'] : [];
  if (names === undefined) return askedNameEntries(likelyFullName, table);
  return names.kind === 'full' ? fullNameEntries(names, table, above) : partEntries(names, table, above);
}

/** Returns the questions for the name; `full` is the column that looks like full names. */
function askedNameEntries(full: ColumnWithMeaning | undefined, table: TableProfile): YamlEntry[] {
  const first = askForFirstName(table);
  const comment = 'a new contact needs a first name';
  if (full === undefined)
    return [{ key: 'firstName', value: { plain: { from: first, default: 'Unknown' } }, comment }];
  const last = formatTodoPlaceholder('which column holds the last name? The same if it holds both');
  const looks = `The values of ${toPrintableName(full.profile.name)} look like full names, which \`part\` splits.`;
  return [
    {
      key: 'firstName',
      value: { plain: { from: first, part: 'given', default: 'Unknown' } },
      above: [
        looks,
        'Remove `part` if your answer is a column of first names or of last names only.',
        'Add `familyFirst: true` to both if the names have the last name first and no comma: Kovács Éva.',
      ],
      comment,
    },
    { key: 'lastName', value: { plain: { from: last, part: 'family' } } },
  ];
}

function partEntries(
  { first, last, prefix, likelyFirst, otherwise }: NameColumns & { kind: 'parts' },
  table: TableProfile,
  above: readonly string[],
): YamlEntry[] {
  if (first && last && prefix === undefined) {
    const other = otherwise?.find((each) => fillsGaps(each, first, last, table));
    if (other !== undefined) return gapEntries({ first, last }, other, table, above);
  }
  const asked = likelyFirst && { from: askForFirstName(table) };
  const from = first && { from: first.profile.name, ...decodingOf(first.profile) };
  const firstName: YamlEntry = {
    key: 'firstName',
    value: { plain: { ...asked, ...from, default: 'Unknown' } },
    above: likelyFirst ? [...above, likelyFirstNote(likelyFirst)] : above,
    comment: first === undefined ? 'no column is called first name' : formatFilledShare([first], table),
  };
  return [firstName, ...lastNameEntry(last, prefix, table)];
}

/**
 * Returns true if rows without a first and a last name have one in these columns, and no row has only one part, which
 * these columns would complete with a part of another name.
 */
function fillsGaps(
  { first: otherFirst, last: otherLast }: NameOfAnother,
  { profile: first }: ColumnWithMeaning,
  { profile: last }: ColumnWithMeaning,
  { contacts }: TableProfile,
): boolean {
  const isFilled = contacts.rowsNamed([otherFirst.profile.name], [first.name, last.name]) > 0;
  const isMixed =
    contacts.rowsNamed([last.name, otherFirst.profile.name], [first.name]) > 0 ||
    (otherLast !== undefined && contacts.rowsNamed([first.name, otherLast.profile.name], [last.name]) > 0);
  return isFilled && !isMixed;
}

/** Returns the rules of names that are taken from other columns where both parts are empty. */
function gapEntries(
  own: Required<NameOfAnother>,
  other: NameOfAnother,
  table: TableProfile,
  above: readonly string[],
): YamlEntry[] {
  const firsts = [own.first, other.first];
  const lasts = [own.last, ...(other.last === undefined ? [] : [other.last])];
  const entryOf = (columns: readonly ColumnWithMeaning[]) => ({
    from: toSourceColumnsYaml(columns),
    ...(columns.some(({ profile }) => profile.isHtml) && { html: true }),
  });
  const words = `${formatFilledShare(firsts, table)}; ${toPrintableName(other.first.profile.name)} counts where both parts of the name are empty`;
  return [
    { key: 'firstName', value: { plain: { ...entryOf(firsts), default: 'Unknown' } }, above, comment: words },
    { key: 'lastName', value: { plain: entryOf(lasts) }, comment: formatFilledShare(lasts, table) },
  ];
}

function askForFirstName(table: TableProfile): string {
  return formatTodoPlaceholder(`which column holds the first name? ${formatColumnChoices(table)}`);
}

function likelyFirstNote({ profile }: ColumnWithMeaning): string {
  return `The values of ${toPrintableName(profile.name)} look like names. Remove \`from\` if no column has first names.`;
}

/** Returns the rule of the last name; a prefix in a column of its own ("van der") stands before it. */
function lastNameEntry(
  last: ColumnWithMeaning | undefined,
  prefix: ColumnWithMeaning | undefined,
  table: TableProfile,
): YamlEntry[] {
  const decoding = last === undefined ? {} : decodingOf(last.profile);
  if (last === undefined || prefix === undefined) return simple('lastName', last, table, decoding);
  const template = [prefix, last].map(({ profile: { name } }) => `{${name}}`).join(' ');
  const comment = formatFilledShare([prefix, last], table);
  return [{ key: 'lastName', value: { plain: { template, ...decoding } }, comment }];
}

/** How a column of full names is read, in words. */
const orderWords = {
  commas: 'most are written "Family, Given"',
  'by script': 'names in Chinese, Japanese or Korean script are read as "Family Given"',
  'family first': 'read as "Family Given", as the column tells',
  'given first': 'read as "Given Family", as the column tells',
  unknown: 'read as "Given Family"; if they are "Family Given", add `familyFirst: true` to both',
};

/** Returns the rules that split a column of full names; their comment says in which order they are read. */
function fullNameEntries(
  { column, order }: NameColumns & { kind: 'full' },
  table: TableProfile,
  above: readonly string[],
): YamlEntry[] {
  const from = { from: column.profile.name, ...decodingOf(column.profile) };
  const first = order === 'family first' ? { familyFirst: true } : {};
  return [
    {
      key: 'firstName',
      value: { plain: { ...from, part: 'given', ...first, default: 'Unknown' } },
      above,
      comment: `${formatFilledShare([column], table)}; ${orderWords[order ?? 'unknown']}`,
    },
    { key: 'lastName', value: { plain: { ...from, part: 'family', ...first } } },
  ];
}

function emailEntry({ emails, phones }: ContactColumns, table: TableProfile): YamlEntry[] {
  if (emails.length > 0) {
    return [
      {
        key: 'email',
        value: { plain: { from: toSourceColumnsYaml(emails) } },
        comment: formatFilledShare(emails, table),
      },
    ];
  }
  if (phones.length > 0) return [];
  const question = formatTodoPlaceholder(
    `no column has e-mail addresses or phone numbers; which one identifies the contact? ${formatColumnChoices(table)}`,
  );
  return [{ key: 'email', value: { plain: { from: question } } }];
}

function languageEntry({ language }: ContactColumns, table: TableProfile): YamlEntry[] {
  const all = language?.profile.share('language') === 1;
  return simple('language', language, table, all ? {} : { onInvalid: 'drop' });
}

/** Returns the rule of the country; values that do not name a known country become questions, at most ten. */
function countryEntry({ countries }: ContactColumns, table: TableProfile): YamlEntry[] {
  if (countries.length === 0) return [];
  const words = new Map<string, number>();
  for (const [word, rows] of countries.flatMap(({ profile }) => [...(profile.distinct ?? [])]))
    words.set(word, (words.get(word) ?? 0) + rows);
  const values = [...words]
    .filter(([word]) => parseCountryCode(word) === undefined)
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostAsked)
    .map(([word, rows]): YamlEntry => {
      const question = `which country is "${toPrintableName(word)}" (${formatRowCount(rows)})? Give its code, or null for none`;
      return { key: word, value: { plain: formatTodoPlaceholder(question) } };
    });
  const from = toSourceColumnsYaml(countries);
  const comment = formatFilledShare(countries, table);
  const areAll = countries.every(({ profile }) => profile.share('country') === 1);
  const rest = areAll ? {} : { onInvalid: 'drop' };
  if (values.length === 0) return [{ key: 'countryCode', value: { plain: { from, ...rest } }, comment }];
  const entries: YamlEntry[] = [
    { key: 'from', value: { plain: from } },
    { key: 'values', value: { entries: values } },
    ...Object.entries(rest).map(([key, plain]): YamlEntry => ({ key, value: { plain } })),
  ];
  return [{ key: 'countryCode', value: { entries }, comment }];
}

function simple(
  key: string,
  column: ColumnWithMeaning | undefined,
  table: TableProfile,
  more: { readonly [key: string]: YamlValue },
): YamlEntry[] {
  if (column === undefined) return [];
  const value = { plain: { from: column.profile.name, ...more } };
  return [{ key, value, comment: formatFilledShare([column], table) }];
}
