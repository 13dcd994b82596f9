import type { Cell, Row } from '../../src/model/row.ts';

/** A row of the given cells, as a source would yield it. */
export function rowOf(cells: Readonly<Record<string, Cell>>): Row {
  const found = new Map(Object.entries(cells));
  return { kind: 'row', line: 2, cell: (column) => found.get(column), entries: () => [...found] };
}
