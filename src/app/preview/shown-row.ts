import { hiddenCell } from '../../model/hidden-cell.ts';
import type { Cell, Row } from '../../model/row.ts';
import { isSecretColumn } from '../draft/columns/secret-columns.ts';

/** A row for a table view. */
export interface PreviewRow {
  /** Null if only its position in the file is known. */
  readonly line: number | null;
  /** The share of the file that is before the row, from 0 to 1; null if its line is known. */
  readonly at: number | null;
  /** In the order of the columns. */
  readonly cells: readonly Cell[];
}

const mostCharacters = 1_000;

/** Returns a cell shortened for a table view. */
export function truncateCell(cell: Cell | undefined): Cell {
  if (cell === undefined || cell === null) return null;
  return cell.length > mostCharacters ? `${cell.slice(0, mostCharacters)}…` : cell;
}

/** Returns a cell as a view may show it: shortened, and hidden if its column holds passwords, keys or tokens. */
export function toShownCell(column: string, cell: Cell | undefined): Cell {
  return cell && isSecretColumn(column) ? hiddenCell : truncateCell(cell);
}

/** Returns a row with its cells in the order of these columns. */
export function toPreviewRow(row: Row, columns: readonly string[], at: number | null = null): PreviewRow {
  return {
    line: at === null ? row.line : null,
    at,
    cells: columns.map((column) => toShownCell(column, row.cell(column))),
  };
}
