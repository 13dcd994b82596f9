import { countryCodeOf } from '../../../datatypes/index.ts';
import type { ContactColumns, NameColumns, ReadColumn } from '../columns/contact-columns.ts';
import { foreignCountry } from '../profile/foreign-countries.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Entry, type Plain, todo } from '../yaml/entry.ts';
import { fillWords, fromOf, offered } from './column-words.ts';
import { phoneEntry } from './phone-entry.ts';

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
  const firstName: Entry =
    first === undefined
      ? {
          key: 'firstName',
          value: { plain: { default: 'Unknown' } },
          above,
          comment: 'no column has first names',
        }
      : {
          key: 'firstName',
          value: { plain: { from: first.profile.name, default: 'Unknown' } },
          above,
          comment: fillWords([first], table),
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
  const [first, last] = commas
    ? [
        { pattern: '^[^,]*,\\s*', with: '' },
        { pattern: '\\s*,.*$', with: '' },
      ]
    : [
        { pattern: '\\s.*$', with: '' },
        { pattern: '^\\S+\\s*', with: '' },
      ];
  const how = commas ? 'the part after the comma' : 'the first word; the rest is the last name';
  return [
    {
      key: 'firstName',
      value: { plain: { from, replace: first, default: 'Unknown' } },
      above,
      comment: `${fillWords([column], table)}; ${how}`,
    },
    { key: 'lastName', value: { plain: { from, replace: last } } },
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
