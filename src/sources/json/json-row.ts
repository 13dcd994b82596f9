import type { Cell, ListedRow, Row } from '../../model/row.ts';
import { arrayRows } from './array-rows.ts';

/** A record of a JSON file as a row. */
export class JsonRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #cells: ReadonlyMap<string, Cell>;

  constructor(line: number, cells: ReadonlyMap<string, Cell>) {
    this.line = line;
    this.#cells = cells;
  }

  cell(column: string): Cell | undefined {
    return this.#cells.get(column);
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return [...this.#cells];
  }

  list(name: string): readonly ListedRow[] | undefined {
    return arrayRows(this.cell(name));
  }
}
