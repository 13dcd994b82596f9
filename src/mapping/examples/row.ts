import type { Cell, ListedRow, Row } from '../../model/row.ts';
import type { Example } from '../schema/examples.ts';

type Written = Example['row'][string];
type Plain = Exclude<Written, readonly unknown[]>;

/** The row that an example describes. */
export function exampleRow({ row }: Example, line: number): Row {
  const lists = new Map<string, readonly ListedRow[]>();
  const cells = new Map<string, Cell>();
  for (const [column, written] of Object.entries(row)) {
    if (Array.isArray(written)) lists.set(column, written.map(listedRow));
    else cells.set(column, cellOf(written));
  }
  return {
    kind: 'row',
    line,
    // A column that the test leaves out is an empty one, for the rows of one file all have the same; not so one of a list.
    cell: (column) => cells.get(column) ?? (isOfList(column, lists) ? undefined : null),
    entries: () => [...cells],
    list: (name) => lists.get(name) ?? (cells.has(name) ? undefined : []),
  };
}

function isOfList(column: string, lists: ReadonlyMap<string, unknown>): boolean {
  if (column.includes('[]')) return true;
  return [...lists.keys()].some((list) => column.startsWith(`${list}.`));
}

function listedRow(written: Plain | Readonly<Record<string, Plain>>): ListedRow {
  const cells =
    typeof written === 'object' && written !== null
      ? new Map(Object.entries(written).map(([column, cell]) => [column, cellOf(cell)]))
      : new Map([['', cellOf(written)]]);
  return { cell: (column) => cells.get(column), entries: () => [...cells] };
}

function cellOf(written: Plain): Cell {
  return written === null ? null : String(written);
}
