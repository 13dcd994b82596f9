import type { ReadColumn } from '../columns/contact-columns.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Plain, percent, shownName } from '../yaml/entry.ts';

const mostOffered = 12;

/** How many rows have a value in each of the columns. */
export function fillWords(columns: readonly ReadColumn[], { rows }: TableProfile): string {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) return `${percent(only.profile.filled, rows)} filled`;
  const each = columns.map(({ profile }) => `${shownName(profile.name)} ${percent(profile.filled, rows)}`);
  return `filled: ${each.join(', ')}`;
}

/** A number of rows in words. */
export function rowsWord(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`;
}

/** One column as `from:` names it, several as a list. */
export function fromOf(columns: readonly ReadColumn[]): Plain {
  const names = columns.map(({ profile }) => profile.name);
  return names.length === 1 ? (names[0] ?? '') : names;
}

/** The columns that a question offers, in a sentence. */
export function offered(table: TableProfile): string {
  const names = table.columns.filter(({ filled }) => filled > 0).map(({ name }) => shownName(name));
  if (names.length === 0) return 'All columns are empty';
  const more = names.length > mostOffered ? ' …' : '';
  return `The columns are ${names.slice(0, mostOffered).join(', ')}${more}`;
}
