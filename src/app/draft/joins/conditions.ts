import { findCheckboxWords } from '../../../datatypes/index.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import type { YamlValue } from '../yaml/entry.ts';
import { hasGloballyUniqueIds, isPolymorphicReference, type TableReference } from './references.ts';
import type { SampledTable } from './sampled-table.ts';
import { findReferencedTableName, splitTableName } from './table-words.ts';

export type RowCondition = { readonly [column: string]: YamlValue };

const deletedNames = new Set(['deleted', 'isdeleted', 'softdeleted', 'isarchived', 'trashed', 'isremoved']);
const deletionTimes = new Set(['deletedat', 'deletedon', 'deletiondate', 'datedeleted']);

/** Returns the condition for rows that are not deleted; empty if no column marks deleted ones. */
export function buildNotDeletedCondition(columns: readonly ColumnProfile[]): RowCondition {
  for (const column of columns) {
    const name = column.words.join('');
    if (deletionTimes.has(name)) return { [column.name]: null };
    const said = deletedNames.has(name) || column.words.at(-1) === 'deleted';
    const words = column.distinct === null || !said ? null : findCheckboxWords(column.distinct);
    if (words === null || words.others > 0) continue;
    const [kept] = words.unchecked;
    if (kept !== undefined) return { [column.name]: kept };
    const [only, ...more] = words.checked;
    return { [column.name]: { not: only !== undefined && more.length === 0 ? only : words.checked } };
  }
  return {};
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
