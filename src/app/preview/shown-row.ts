import type { Cell, Row } from '../../model/row.ts';

/** A row as a table shows it. */
export interface ShownRow {
  /** Null where only its place in the file is known. */
  readonly line: number | null;
  /** The share of the file that lies before it; null where its line is known. */
  readonly at: number | null;
  /** In the order of the columns. */
  readonly cells: readonly Cell[];
}

const mostCharacters = 1_000;

/** A cell as far as a table shows it. */
export function shownCell(cell: Cell | undefined): Cell {
  if (cell === undefined || cell === null) return null;
  return cell.length > mostCharacters ? `${cell.slice(0, mostCharacters)}…` : cell;
}

/** A row with its cells in the order of these columns. */
export function shownRow(row: Row, columns: readonly string[], at: number | null = null): ShownRow {
  return {
    line: at === null ? row.line : null,
    at,
    cells: columns.map((column) => shownCell(row.cell(column))),
  };
}
