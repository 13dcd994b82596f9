import type { NestedRow, Row } from '../../model/row.ts';

/** Returns the join key of a row: the trimmed cells of its key columns; null if one is empty. */
export function readJoinKey(row: Pick<NestedRow, 'cell'>, columns: readonly string[]): string | null {
  const texts: string[] = [];
  for (const column of columns) {
    const text = row.cell(column)?.trim() ?? '';
    if (text === '') return null;
    texts.push(text);
  }
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : JSON.stringify(texts);
}

/** A parsed reference to a column of the rows of a list: `tags[].id`. */
export interface ListColumn {
  readonly column: string;
  readonly list: string;
  /** The column in the rows of the list; '' for elements that are not objects. */
  readonly of: string;
}

/** Parses a reference to a list's column; null for the name of any other column. */
export function parseListColumn(column: string): ListColumn | null {
  const marked = column.indexOf('[]');
  if (marked <= 0) return null;
  return { column, list: column.slice(0, marked), of: column.slice(marked + 2).replace(/^\./, '') };
}

/** Returns the distinct join keys that `split` separates in a key; the key itself if `split` is null. */
export function splitJoinKey(key: string | null, split: string | null): readonly string[] {
  if (key === null) return [];
  if (split === null) return [key];
  const parts = key.split(split).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

/**
 * Returns the distinct join keys of a row: those of its key columns, or with `listed` those of each row of that list.
 */
export function readJoinKeys(
  row: Pick<Row, 'cell' | 'list'>,
  columns: readonly string[],
  listed: ListColumn | null,
  split: string | null,
): readonly string[] {
  const rows = listed === null || row.cell(listed.column) !== undefined ? null : row.list?.(listed.list);
  if (listed === null || rows == null) return splitJoinKey(readJoinKey(row, columns), split);
  const keys = new Set<string>();
  for (const each of rows) {
    const cell = (column: string) => (column === listed.column ? each.cell(listed.of) : row.cell(column));
    for (const key of splitJoinKey(readJoinKey({ cell }, columns), split)) keys.add(key);
  }
  return [...keys];
}
