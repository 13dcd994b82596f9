import { countryCodeOf } from '../../../datatypes/index.ts';
import { todo } from '../../../model/todo.ts';
import type { ContactColumns, NameColumns, ReadColumn } from '../columns/contact-columns.ts';
import { foreignCountry } from '../profile/foreign-countries.ts';
import { phoneCountries } from '../profile/phone-countries.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Entry, type Plain, percent } from '../yaml/entry.ts';
import { fillWords, fromOf, offered } from './column-words.ts';

const nearlyAll = 0.99;
const mostAlike = 0.5;

/** The rule of the phone: a number without its country code needs a country, which only a person may know. */
function phoneEntry(
  { phones, emails, country }: ContactColumns,
  table: TableProfile,
  stated: string | undefined,
): Entry[] {
  if (phones.length === 0) return [];
  const value: { [key: string]: Plain } = { from: fromOf(phones) };
  const needed = countryRule(phones, country, table, stated);
  if (needed !== undefined) value.country = needed;
  // With an e-mail a person is known without the phone: a wrong number costs the number, not the row.
  if (emails.length > 0) value.onInvalid = 'drop';
  const comment = `${fillWords(phones, table)}; ${nationalWords(phones)}${emails.length > 0 ? '' : aloneWords(phones, table)}`;
  return [{ key: 'phone', value: { plain: value }, comment }];
}

function countryRule(
  phones: readonly ReadColumn[],
  country: ReadColumn | undefined,
  { rows }: TableProfile,
  stated: string | undefined,
): Plain | undefined {
  if (national(phones) === 0) return undefined;
  if (country === undefined) {
    if (stated !== undefined) return stated;
    return todo(`which country are numbers without a country code from? ${choices(phones)}`);
  }
  const { name, filled } = country.profile;
  if (stated !== undefined) return { from: name, default: stated };
  if (filled >= rows * nearlyAll) return { from: name };
  const question = todo(
    'which country are numbers from if the row has no country? Give its code, for example US, GB or DE',
  );
  return { from: name, default: question };
}

/** The share of numbers that do not say their country. */
function national(phones: readonly ReadColumn[]): number {
  return Math.max(...phones.map(({ profile }) => profile.share('national')));
}

function nationalWords(phones: readonly ReadColumn[]): string {
  const share = national(phones);
  if (share === 0) return 'all with their country code';
  return `${Math.max(1, Math.round(share * 100))} % without a country code`;
}

/** Where there is no e-mail: rows without a number, or with one that most rows share, will be rejected. */
function aloneWords(phones: readonly ReadColumn[], { rows }: TableProfile): string {
  const filled = phones.reduce((sum, { profile }) => sum + profile.filled, 0);
  if (filled < rows * mostAlike) return '; a row without one is rejected: try another column';
  const shared = phones.every(({ profile: { repeated, looked } }) => repeated > looked * mostAlike);
  return shared ? '; most rows share the same number, which identifies nobody: try another column' : '';
}

/** What the numbers themselves say of the country. */
function choices(phones: readonly ReadColumn[]): string {
  const numbers = phones.flatMap(({ profile }) => profile.national);
  const international = phones.flatMap(({ profile }) => profile.international);
  const likely = phoneCountries(numbers, international).map(
    ({ country, share }) => `${country} (right for ${percent(share, 1)})`,
  );
  return likely.length === 0
    ? 'Give its code, for example US, GB or DE'
    : `Give its code: ${likely.join(', ')} …`;
}

/** The rules of `contact:`. */
export function contactEntries(
  columns: ContactColumns,
  table: TableProfile,
  country: string | undefined,
): readonly Entry[] {
  return [
    ...nameEntries(columns, table),
    ...emailEntry(columns, table),
    ...phoneEntry(columns, table, country),
    ...languageEntry(columns, table),
    ...countryEntry(columns, table),
    ...simple('profilePic', columns.photo, table, { onInvalid: 'drop' }),
  ];
}

function nameEntries({ names, guessed }: ContactColumns, table: TableProfile): Entry[] {
  const above = guessed ? ['Guessed from the values alone: please verify.'] : [];
  if (names === undefined) {
    const question = todo(`which column holds the first name? ${offered(table)}`);
    const value = { plain: { from: question, default: 'Unknown' } };
    return [{ key: 'firstName', value, comment: 'a new contact needs a first name' }];
  }
  return names.kind === 'full' ? fullNameEntries(names, table, above) : partEntries(names, table, above);
}

function partEntries(
  { first, last }: NameColumns & { kind: 'parts' },
  table: TableProfile,
  above: readonly string[],
): Entry[] {
  const from = first && { from: first.profile.name };
  const firstName: Entry = {
    key: 'firstName',
    value: { plain: { ...from, default: 'Unknown' } },
    above,
    comment: first === undefined ? 'no column has first names' : fillWords([first], table),
  };
  return [firstName, ...simple('lastName', last, table, {})];
}

/** A whole name is parted at its first blank, or at its comma where the family name comes first. */
function fullNameEntries(
  { column, commas }: NameColumns & { kind: 'full' },
  table: TableProfile,
  above: readonly string[],
): Entry[] {
  const from = column.profile.name;
  const [first, last] = commas ? ['^[^,]*,\\s*', '\\s*,.*$'] : ['\\s.*$', '^\\S+\\s*'];
  const how = commas ? 'the part after the comma' : 'the first word; the rest is the last name';
  return [
    {
      key: 'firstName',
      value: { plain: { from, replace: { pattern: first, with: '' }, default: 'Unknown' } },
      above,
      comment: `${fillWords([column], table)}; ${how}`,
    },
    { key: 'lastName', value: { plain: { from, replace: { pattern: last, with: '' } } } },
  ];
}

function emailEntry({ emails, phones }: ContactColumns, table: TableProfile): Entry[] {
  if (emails.length > 0) {
    return [{ key: 'email', value: { plain: { from: fromOf(emails) } }, comment: fillWords(emails, table) }];
  }
  if (phones.length > 0) return [];
  const question = todo(
    `no column has e-mail addresses or phone numbers; which one identifies the contact? ${offered(table)}`,
  );
  return [{ key: 'email', value: { plain: { from: question } } }];
}

function languageEntry({ language }: ContactColumns, table: TableProfile): Entry[] {
  const all = language?.profile.share('language') === 1;
  return simple('language', language, table, all ? {} : { onInvalid: 'drop' });
}

/** Country names in other languages than English are translated here, as the tool knows only English ones. */
function countryEntry({ country }: ContactColumns, table: TableProfile): Entry[] {
  if (country === undefined) return [];
  const foreign = [...(country.profile.distinct?.keys() ?? [])].filter(
    (name) => countryCodeOf(name) === undefined,
  );
  const values = Object.fromEntries(
    foreign.flatMap((name) => {
      const code = foreignCountry(name);
      return code === undefined ? [] : [[name, code] as const];
    }),
  );
  const known = country.profile.share('englishCountry') === 1;
  return simple('countryCode', country, table, {
    ...(Object.keys(values).length > 0 ? { values } : {}),
    ...(known ? {} : { onInvalid: 'drop' }),
  });
}

function simple(
  key: string,
  column: ReadColumn | undefined,
  table: TableProfile,
  more: { readonly [key: string]: Plain },
): Entry[] {
  if (column === undefined) return [];
  const value = { plain: { from: column.profile.name, ...more } };
  return [{ key, value, comment: fillWords([column], table) }];
}
