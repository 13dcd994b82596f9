import type { Cell, ListedRow, Row } from '../model/row.ts';
import { arrayRows } from './json/array-rows.ts';

/** The columns of a table, and where each stands in the records of one of its blocks. */
export class RowLayout {
  readonly columns: readonly string[];
  /** How many values a record has. */
  readonly width: number;
  readonly #places: ReadonlyMap<string, number>;

  /** `listed` are the columns of the block; those of the table that are not listed have no place. */
  constructor(columns: readonly string[], listed: readonly string[]) {
    this.columns = columns;
    this.width = listed.length;
    const places = new Map(columns.map((column) => [column, -1]));
    for (const [place, column] of listed.entries()) places.set(column, place);
    this.#places = places;
  }

  /** -1 where the table has the column and the block does not. */
  place(column: string): number | undefined {
    return this.#places.get(column);
  }
}

/** A record of a table as a row; a column that its INSERT leaves out is null. */
export class TableRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #layout: RowLayout;
  readonly #cells: readonly Cell[];

  constructor(line: number, layout: RowLayout, cells: readonly Cell[]) {
    this.line = line;
    this.#layout = layout;
    this.#cells = cells;
  }

  cell(column: string): Cell | undefined {
    const place = this.#layout.place(column);
    return place === undefined ? undefined : (this.#cells[place] ?? null);
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return this.#layout.columns.map((column) => [column, this.cell(column) ?? null] as const);
  }

  list(name: string): readonly ListedRow[] | undefined {
    return arrayRows(this.cell(name));
  }
}

/** Cells with null in place of every text that stands for it. */
export function withNulls(cells: readonly Cell[], nulls: readonly string[]): readonly Cell[] {
  const isNull = (cell: Cell) => cell !== null && nulls.includes(cell);
  return cells.some(isNull) ? cells.map((cell) => (isNull(cell) ? null : cell)) : cells;
}
