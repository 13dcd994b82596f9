import { trimWhiteSpace } from '../../datatypes/index.ts';
import type { Cell, NestedRow, Row } from '../../model/row.ts';

/** Returns a function that turns the mapping's placeholders (`empty:`) in a row into empty cells, also in its lists. */
export function compilePlaceholderRemoval(placeholders: readonly string[] = []): (row: Row) => Row {
  if (placeholders.length === 0) return (row) => row;
  const words = new Set(placeholders.map((word) => trimWhiteSpace(word).toLowerCase()));
  const longest = Math.max(...placeholders.map(({ length }) => length));
  const cleaned = <C extends Cell | undefined>(cell: C): C | '' => {
    if (!cell) return cell;
    const text = trimWhiteSpace(cell);
    return text.length <= longest && words.has(text.toLowerCase()) ? '' : cell;
  };
  const cleanedRow = (row: NestedRow): NestedRow => ({
    cell: (column) => cleaned(row.cell(column)),
    isDate: (column) => row.isDate?.(column) === true,
    entries: () => row.entries().map(([column, cell]) => [column, cleaned(cell)] as const),
  });
  return (row) => ({
    ...cleanedRow(row),
    kind: 'row',
    line: row.line,
    sheet: row.sheet,
    origin: row.origin,
    damage: row.damage,
    ...(row.list && { list: (name) => row.list?.(name)?.map(cleanedRow) }),
  });
}
