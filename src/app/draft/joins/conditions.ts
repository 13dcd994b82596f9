import { findCheckboxWords } from '../../../datatypes/index.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import type { YamlValue } from '../yaml/entry.ts';
import { deletedNames, deletionTimes, rowWords } from './deleted-words.ts';
import { hasGloballyUniqueIds, isPolymorphicReference, type TableReference } from './references.ts';
import type { SampledTable } from './sampled-table.ts';
import { findReferencedTableName, splitTableName } from './table-words.ts';

export type RowCondition = { readonly [column: string]: YamlValue };

/** The opposite of a word for "not deleted", for a column in which no row is deleted yet. */
const opposites = new Map(Object.entries({ false: 'true', f: 't', '0': '1', no: 'yes', n: 'y' }));

/** The condition for rows that are not deleted, and the number of profiled rows that it leaves out. */
export interface NotDeletedRows {
  readonly where: RowCondition;
  readonly leftOut: number;
}

/**
 * Returns the condition for rows that are not deleted; empty if no column marks deleted ones. It leaves out only rows
 * that say so: an empty cell is no deletion, and neither is a column of a nested object about the row.
 */
export function findNotDeletedRows(columns: readonly ColumnProfile[]): NotDeletedRows {
  for (const column of columns.filter(({ name }) => !name.includes('.'))) {
    const name = column.words.join('');
    if (deletionTimes.has(name)) return notDeletedByTime(column);
    const found = isDeletedMark(column) ? notDeletedByMark(column) : undefined;
    if (found !== undefined) return found;
  }
  return { where: {}, leftOut: 0 };
}

/** Returns the condition of `findNotDeletedRows` alone. */
export function buildNotDeletedCondition(columns: readonly ColumnProfile[]): RowCondition {
  return findNotDeletedRows(columns).where;
}

function isDeletedMark({ words }: ColumnProfile): boolean {
  if (deletedNames.has(words.join(''))) return true;
  const first = words.findIndex((word) => !rowWords.has(word));
  return first > 0 && deletedNames.has(words.slice(first).join(''));
}

function notDeletedByTime(column: ColumnProfile): NotDeletedRows {
  return { where: buildEmptyCondition(column), leftOut: column.filled - column.zeros };
}

/** Returns the condition for rows without a time or an id in the column: a placeholder is neither, nor is a zero. */
export function buildEmptyCondition({ name, zeros, placeholders }: ColumnProfile): RowCondition {
  const nothing = [...placeholders.keys(), ...(zeros > 0 ? ['0'] : [])];
  return { [name]: nothing.length === 0 ? null : [null, ...nothing] };
}

/** Returns undefined if a cell of the column says neither yes nor no. */
function notDeletedByMark({ name, distinct }: ColumnProfile): NotDeletedRows | undefined {
  const words = distinct === null ? null : findCheckboxWords(distinct);
  if (distinct === null || words === null || words.others > 0) return undefined;
  // The cells as they are written: `where` compares them with case.
  const deleted = [...distinct].filter(([cell]) => words.checked.includes(cell.toLowerCase()));
  const marks =
    deleted.length > 0
      ? deleted.map(([cell]) => cell)
      : words.unchecked.flatMap((word) => opposites.get(word) ?? []);
  const [only, ...more] = marks;
  if (only === undefined) return undefined;
  return {
    where: { [name]: { not: more.length === 0 ? only : marks } },
    leftOut: deleted.reduce((sum, [, cells]) => sum + cells, 0),
  };
}

/** Returns the condition for the main row of several; undefined if no column marks it. */
export function buildMainRowCondition(columns: readonly ColumnProfile[]): RowCondition | undefined {
  for (const column of columns) {
    if (
      !column.words.some((word) => ['primary', 'default', 'main'].includes(word)) ||
      column.distinct === null
    )
      continue;
    const said = findCheckboxWords(column.distinct);
    const [yes] = said?.checked ?? [];
    if (said?.others === 0 && yes !== undefined) return { [column.name]: yes };
  }
  return undefined;
}

/**
 * Returns the condition for the rows whose polymorphic reference (`column`) is to the table `to`. Empty if none is
 * needed: all references are to this table, or ids are globally unique. Undefined if references to other tables could
 * not be told apart.
 */
export function buildReferenceCondition(
  { from, column, to }: TableReference,
  references: readonly TableReference[],
): RowCondition | undefined {
  const stem = findReferencedTableName(column) ?? '';
  if (!isPolymorphicReference(stem)) return {};
  const types = from.columns.filter(({ words }) => ['type', 'module', 'kind'].includes(words.at(-1) ?? ''));
  for (const { name, distinct } of types) {
    const meant = [...(distinct?.keys() ?? [])].filter((value) => isTableNamed(to, value));
    const [only, ...more] = meant;
    if (only !== undefined) return { [name]: more.length === 0 ? only : meant };
  }
  if (hasGloballyUniqueIds(from, column)) return {};
  const own = types.find(({ words }) => words.slice(0, -1).join('') === stem);
  const hasSeveralTypes = own !== undefined && own.distinct?.size !== 1;
  const isShared = references.some(
    (other) => other.from === from && other.column === column && other.to !== to,
  );
  return hasSeveralTypes || isShared ? undefined : {};
}

/** Returns true if a value names the table, with or without the prefix of its name: `Contact` for `crm_contacts`. */
function isTableNamed({ stem, words }: SampledTable, value: string): boolean {
  const named = splitTableName(value);
  const name = named.join('');
  return name !== '' && (name === stem || words.slice(-named.length).join('') === name);
}
