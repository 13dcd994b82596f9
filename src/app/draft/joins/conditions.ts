import { findCheckboxWords } from '../../../datatypes/index.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import type { YamlValue } from '../yaml/entry.ts';
import type { SampledTable } from './sampled-table.ts';
import { splitTableName } from './table-words.ts';

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

/** Returns the condition for rows that refer to `to`, in a table that refers to several tables; empty if none fits. */
export function buildReferenceCondition({ columns }: SampledTable, to: SampledTable): RowCondition {
  for (const { name, words, distinct } of columns) {
    if (distinct === null || !['type', 'module', 'kind'].includes(words.at(-1) ?? '')) continue;
    const meant = [...distinct.keys()].filter((value) => splitTableName(value).join('') === to.stem);
    const [only, ...more] = meant;
    if (only !== undefined) return { [name]: more.length === 0 ? only : meant };
  }
  return {};
}
