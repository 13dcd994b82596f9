import { valueGuardReplacement } from '../../../model/spreadsheet-guard.ts';
import type { ColumnWithMeaning } from '../columns/contact-columns.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { formatWholePercent, toPrintableName, type YamlValue } from '../yaml/entry.ts';

const mostOffered = 12;

/** Returns the share of rows with a value in each of the columns, in words. */
export function formatFilledShare(columns: readonly ColumnWithMeaning[], { rows }: TableProfile): string {
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0)
    return `${formatWholePercent(only.profile.filled, rows)} filled`;
  const each = columns.map(
    ({ profile }) => `${toPrintableName(profile.name)} ${formatWholePercent(profile.filled, rows)}`,
  );
  return `filled: ${each.join(', ')}`;
}

/** Returns a number of rows as text, such as `1,200 rows`. */
export function formatRowCount(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`;
}

/** Returns the value of `from:`: a column's name, or a list for several. */
export function toSourceColumnsYaml(columns: readonly ColumnWithMeaning[]): YamlValue {
  const names = columns.map(({ profile }) => profile.name);
  return names.length === 1 ? (names[0] ?? '') : names;
}

/** Returns a sentence with the columns that a question offers. */
export function formatColumnChoices(table: TableProfile): string {
  const names = table.columns.filter(({ filled }) => filled > 0).map(({ name }) => toPrintableName(name));
  if (names.length === 0) return 'All columns are empty';
  const more = names.length > mostOffered ? ' …' : '';
  return `The columns are ${names.slice(0, mostOffered).join(', ')}${more}`;
}

/** Returns the option of a rule that takes off the apostrophe that guards a value (`'02101`) in a spreadsheet. */
export function unguardingOf(column: ColumnProfile): { readonly [option: string]: YamlValue } {
  return column.isGuarded ? { replace: { ...valueGuardReplacement } } : {};
}

/** Returns the option of a rule that takes the text which HTML shows, if a cell of the column is HTML. */
export function decodingOf(column: ColumnProfile): { readonly html?: true } {
  return column.isHtml ? { html: true } : {};
}
