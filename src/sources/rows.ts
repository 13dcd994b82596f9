import type { Cell, Row } from '../model/row.ts';
import { parseJsonArrayRows } from './json/array-rows.ts';

/**
 * The columns of a table in order, and the index of each in the records of one block, such as an INSERT of a SQL dump.
 */
export class RowLayout {
  readonly columns: readonly string[];
  /** The number of values of a record. */
  readonly width: number;
  /** The index of each column in a record; -1 if the block lacks the column. */
  readonly places: ReadonlyMap<string, number>;
  /** The index of each column in a record, in the order of `columns`; -1 if the block lacks the column. */
  readonly order: readonly number[];

  /** `listed` are the columns of the block, in the order of the values in its records. */
  constructor(columns: readonly string[], listed: readonly string[] = columns) {
    this.columns = columns;
    this.width = listed.length;
    const places = new Map(columns.map((column) => [column, -1]));
    for (const [place, column] of listed.entries()) places.set(column, place);
    this.places = places;
    this.order = columns.map((column) => places.get(column) ?? -1);
  }
}

const noDates: ReadonlySet<number> = new Set();

/** A record of a table as a row; a cell is null if the record lacks its column, undefined if the column is unknown. */
export class TableRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly sheet: string | undefined;
  readonly #layout: RowLayout;
  readonly #cells: readonly Cell[];
  readonly #dates: ReadonlySet<number>;

  /** `dates` are the indexes of the cells that the input has as dates. */
  constructor(
    line: number,
    layout: RowLayout,
    cells: readonly Cell[],
    sheet?: string,
    dates: ReadonlySet<number> = noDates,
  ) {
    this.line = line;
    this.sheet = sheet;
    this.#layout = layout;
    this.#cells = cells;
    this.#dates = dates;
  }

  cell(column: string): Cell | undefined {
    const place = this.#layout.places.get(column);
    return place === undefined ? undefined : (this.#cells[place] ?? null);
  }

  isDate(column: string): boolean {
    return this.#dates.has(this.#layout.places.get(column) ?? -1);
  }

  entries(): ReturnType<Row['entries']> {
    const { columns, order } = this.#layout;
    return columns.map((column, index) => [column, this.#cells[order[index] ?? -1] ?? null] as const);
  }

  list(name: string): ReturnType<NonNullable<Row['list']>> {
    return parseJsonArrayRows(this.cell(name));
  }
}

/** Creates a row whose cells come from `cells`, which returns them by column and is called at each access. */
export function createLazyRow(
  line: number,
  cells: () => ReadonlyMap<string, Cell>,
  list: NonNullable<Row['list']> = (name) => parseJsonArrayRows(cells().get(name)),
): Row {
  return { kind: 'row', line, cell: (column) => cells().get(column), entries: () => [...cells()], list };
}

/** Returns the cells, with null in place of each text in `nulls`. */
export function convertNullTexts(cells: readonly Cell[], nulls: readonly string[]): readonly Cell[] {
  if (nulls.length === 0) return cells;
  const isNull = (cell: Cell) => cell !== null && nulls.includes(cell);
  return cells.some(isNull) ? cells.map((cell) => (isNull(cell) ? null : cell)) : cells;
}

const mostColumns = 2000;

/** The union of the columns of rows, in order of appearance. */
export class ColumnUnion {
  readonly #names = new Set<string>();

  add(row: Row): void {
    if (this.#names.size > mostColumns) return;
    for (const [column] of row.entries()) this.#names.add(column);
  }

  /** Returns the columns; null if there are none, or more than 2,000. */
  names(): readonly string[] | null {
    return this.#names.size === 0 || this.#names.size > mostColumns ? null : [...this.#names];
  }
}
