import type { Cell, Row } from '../../model/row.ts';

/**
 * Returns a function that reads a column of a row: a cell, or all cells of a list (`labels.name`, `emails[].value`,
 * `tags[]`); undefined where the row has no such column.
 */
export function compileColumnReader(column: string): (row: Row) => readonly Cell[] | undefined {
  const ways = splitListColumn(column);
  return (row) => {
    const cell = row.cell(column);
    if (cell !== undefined) return [cell];
    for (const { list, of } of ways) {
      const rows = row.list?.(list);
      if (rows !== undefined) return rows.map((each) => each.cell(of) ?? null);
    }
    return undefined;
  };
}

/** Returns each way to split a name into a list and a column of its rows: `a.b.c` is `b.c` of `a`, or `c` of `a.b`. */
export function splitListColumn(column: string): readonly { readonly list: string; readonly of: string }[] {
  const marked = column.indexOf('[]');
  if (marked > 0) {
    return [{ list: column.slice(0, marked), of: column.slice(marked + 2).replace(/^\./, '') }];
  }
  return [...column.matchAll(/\./g)].map(({ index }) => ({
    list: column.slice(0, index),
    of: column.slice(index + 1),
  }));
}
