import { findCheckboxWords } from '../../../datatypes/index.ts';
import { statusWords } from '../columns/header-names.ts';
import { splitColumnName } from '../columns/header-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { toPrintableName } from '../yaml/entry.ts';
import { buildEmptyCondition, type RowCondition } from './conditions.ts';
import {
  activeNames,
  doubtfulNames,
  doubtfulTimes,
  goneStates,
  mergedInto,
  rowWords,
} from './deleted-words.ts';

/** Rows that may be no longer contacts, as a column says. */
export interface PossiblyDeletedRows {
  /** The condition that leaves them out. */
  readonly where: RowCondition;
  /** What the column says of them: `"archived" is "true"`. */
  readonly words: string;
  /** The number of rows that were profiled and that the condition leaves out. */
  readonly rows: number;
}

/**
 * Returns the rows that a column marks as archived, binned or merged into another row, or whose status is a word for
 * that; none where no row has the mark. A nested object says nothing about the row.
 */
export function findPossiblyDeletedRows(
  columns: readonly ColumnProfile[],
  rows: number,
): readonly PossiblyDeletedRows[] {
  return columns
    .filter(({ name }) => !name.includes('.'))
    .flatMap((column) => [...byMark(column), ...byReference(column, rows), ...byStatus(column)]);
}

function nameOf({ words }: ColumnProfile): string {
  return words.join('');
}

function withoutRowWords({ words }: ColumnProfile): string {
  return words.filter((word) => !rowWords.has(word)).join('');
}

/** Returns the rows that a checkbox marks, or one for rows in use does not, and those with the time of a mark. */
function byMark(column: ColumnProfile): readonly PossiblyDeletedRows[] {
  const isNamed = doubtfulNames.has(nameOf(column)) || doubtfulNames.has(withoutRowWords(column));
  const words = isNamed && column.distinct !== null ? findCheckboxWords(column.distinct) : null;
  if (words?.others === 0) {
    const isChecked = (cell: string) => words.checked.includes(cell.toLowerCase());
    return byValues(column, isChecked);
  }
  const isOfUse = activeNames.has(nameOf(column)) || activeNames.has(withoutRowWords(column));
  const used = isOfUse && column.distinct !== null ? findCheckboxWords(column.distinct) : null;
  if (used?.others === 0) return byValues(column, (cell) => used.unchecked.includes(cell.toLowerCase()));
  const isTime = doubtfulTimes.has(nameOf(column)) || (isNamed && column.share('date') === 1);
  return isTime ? byFilled(column) : [];
}

/** Returns the rows with the id of another; a column that is filled in every row marks none. */
function byReference(column: ColumnProfile, rows: number): readonly PossiblyDeletedRows[] {
  return mergedInto.has(nameOf(column)) && column.filled - column.zeros < rows ? byFilled(column) : [];
}

/** Returns the rows with a status such as Deleted, in a column that is about the row itself. */
function byStatus(column: ColumnProfile): readonly PossiblyDeletedRows[] {
  const isStatus = column.words.some((word) => statusWords.has(word));
  const isOfRow = column.words.every((word) => statusWords.has(word) || rowWords.has(word));
  if (!isStatus || !isOfRow) return [];
  return byValues(column, (cell) => goneStates.has(splitColumnName(cell).join('')));
}

function byValues(
  { name, distinct }: ColumnProfile,
  isMark: (cell: string) => boolean,
): readonly PossiblyDeletedRows[] {
  const marks = [...(distinct ?? [])].filter(([cell]) => isMark(cell));
  const [only, ...more] = marks.map(([cell]) => cell);
  if (only === undefined) return [];
  const said = [only, ...more].map((cell) => `"${toPrintableName(cell)}"`).join(' or ');
  return [
    {
      where: { [name]: { not: more.length === 0 ? only : [only, ...more] } },
      words: `"${toPrintableName(name)}" is ${said}`,
      rows: marks.reduce((sum, [, cells]) => sum + cells, 0),
    },
  ];
}

function byFilled(column: ColumnProfile): readonly PossiblyDeletedRows[] {
  const rows = column.filled - column.zeros;
  const words = `"${toPrintableName(column.name)}" is filled`;
  return rows === 0 ? [] : [{ where: buildEmptyCondition(column), words, rows }];
}
