import { findColumnMeaning } from '../columns/header-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { isStaffTable } from './people-table.ts';
import type { SampledTable } from './sampled-table.ts';
import { findReferencedTableName, isSameNoun } from './table-words.ts';

/** A column of a table whose values are keys of another table. */
export interface TableReference {
  readonly from: SampledTable;
  readonly column: string;
  readonly to: SampledTable;
  readonly key: string;
  /** The text between several keys in one cell; absent if every cell is one key. */
  readonly split?: string;
  /** True if the column's name fits the table `to`; false for a column that may refer to several tables. */
  readonly named: boolean;
}

const someShare = 0.3;
/** Matches ids of at least 12 characters that are not only digits: these are not equal by chance. */
const telling = /^(?=.*[^\d.]).{12,}$/;

/**
 * Returns the references between tables: columns whose names suggest one, and whose values are keys of the other table.
 */
export function findTableReferences(tables: readonly SampledTable[]): readonly TableReference[] {
  return tables.flatMap((from) =>
    from.columns.flatMap(({ name: column, filled }) => {
      // In a table that extends the records of another table, `id_c` refers to these records.
      const stem = /^id_c$/i.test(column)
        ? from.words.slice(0, -1).join('')
        : findReferencedTableName(column);
      if (stem === null || filled === 0) return [];
      return tables.flatMap((to) => referenceTo(from, column, stem, to) ?? []);
    }),
  );
}

function referenceTo(
  from: SampledTable,
  column: string,
  stem: string,
  to: SampledTable,
): TableReference | undefined {
  const key = findKeyColumn(to);
  if (key === undefined || (from === to && column === key)) return undefined;
  const named = isNamedFor(column, stem, to);
  const known = to.values.get(key) ?? new Set();
  const cells = [...(from.values.get(column) ?? [])];
  const split = findSplit(cells, known);
  const values = split === undefined ? cells : cells.flatMap((cell) => splitCell(cell, split));
  const shared = values.filter((value) => known.has(value));
  const share = values.length === 0 ? 0 : shared.length / values.length;
  const isShared =
    share >= someShare ||
    (shared.length > 0 && ((named && !to.whole) || shared.every((value) => telling.test(value))));
  // Matching values alone prove nothing: the column's name must fit this table, or be open to several (`parent_id`).
  if (!isShared || !(named || isPolymorphicReference(stem))) return undefined;
  return { from, column, to, key, named, ...(split !== undefined && { split }) };
}

/** Returns what separates the keys in cells such as `101;102`; undefined if no cell has several known keys. */
function findSplit(cells: readonly string[], known: ReadonlySet<string>): string | undefined {
  return [';', ','].find((split) =>
    cells.some((cell) => {
      const keys = splitCell(cell, split);
      return keys.length > 1 && !known.has(cell) && keys.some((each) => known.has(each));
    }),
  );
}

function splitCell(cell: string, split: string): readonly string[] {
  return cell.split(split).flatMap((part) => part.trim() || []);
}

/**
 * Returns the column that identifies the rows of a table; undefined where none does. At most the share `mayRepeat` of its
 * values may occur twice, by mistake.
 */
export function findKeyColumn(table: SampledTable, mayRepeat = 0): string | undefined {
  const { key } = table.contact;
  const isUnique = ({ filled, repeated }: ColumnProfile) => filled > 0 && repeated <= mayRepeat * filled;
  const own = table.columns.find((column) => {
    const stem = findReferencedTableName(column.name) ?? '';
    // A name in the plural of another language: `NotizID` of `Notizen`.
    const isOwn = stem === table.stem || (stem.length >= shortestStem && table.stem.startsWith(stem));
    return isOwn && column.filled >= column.looked && isUnique(column);
  });
  const plain = table.columns.find((column) => /^_?id_?c?$/i.test(column.name) && isUnique(column));
  return plain?.name ?? own?.name ?? key?.profile.name;
}

const shortestStem = 4;

function isNamedFor(column: string, stem: string, to: SampledTable): boolean {
  if (isSameNoun(stem, to.stem) || stem.endsWith(to.words.at(-1) ?? '-')) return true;
  const owner = isOwnerColumn(column) || /^(?:createdby|author|user|agent|createduser)$/.test(stem);
  return owner && isStaffTable(to);
}

/** Returns true for a column that names the owner of a record, or has the owner's id. */
export function isOwnerColumn(column: string): boolean {
  return [column, findReferencedTableName(column) ?? ''].some(
    (name) => findColumnMeaning(name)?.role === 'owner',
  );
}

/** Returns true if the column has ids, and none of them is likely to equal an id of another table by chance. */
export function hasGloballyUniqueIds({ values }: SampledTable, column: string): boolean {
  const ids = [...(values.get(column) ?? [])];
  return ids.length > 0 && ids.every((id) => telling.test(id));
}

/** Returns true if a reference of this name, such as `parent` or `what`, may lead to records of several tables. */
export function isPolymorphicReference(stem: string): boolean {
  return openStems.has(stem);
}

const openStems = new Set('parent who what entity bean record related relation object target'.split(' '));
