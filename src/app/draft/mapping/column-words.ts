import type { ReadColumn } from '../columns/contact-columns.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Plain, percent, shownName } from '../yaml/entry.ts';

const mostOffered = 12;

/** Returns the share of rows with a value in each of the columns, in words. */
export function fillWords(columns: readonly ReadColumn[], { rows }: TableProfile): string {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) return `${percent(only.profile.filled, rows)} filled`;
  const each = columns.map(({ profile }) => `${shownName(profile.name)} ${percent(profile.filled, rows)}`);
  return `filled: ${each.join(', ')}`;
}

/** Returns a number of rows in words. */
export function rowsWord(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`;
}

/** Returns the value of `from:`: a column's name, or a list for several. */
export function fromOf(columns: readonly ReadColumn[]): Plain {
  const names = columns.map(({ profile }) => profile.name);
  return names.length === 1 ? (names[0] ?? '') : names;
}

/** Returns a sentence with the columns that a question offers. */
export function offered(table: TableProfile): string {
  const names = table.columns.filter(({ filled }) => filled > 0).map(({ name }) => shownName(name));
  if (names.length === 0) return 'All columns are empty';
  const more = names.length > mostOffered ? ' …' : '';
  return `The columns are ${names.slice(0, mostOffered).join(', ')}${more}`;
}
