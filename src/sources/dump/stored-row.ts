import type { Cell, ListedRow } from '../../model/row.ts';
import { arrayRows } from '../json/array-rows.ts';
import type { SoleRow } from './joined-row.ts';

/** Columns of a staged row, and where each stands. */
export interface Layout {
  readonly columns: readonly string[];
  readonly places: ReadonlyMap<string, number>;
}

/** A row out of a staged table; its cells are text until somebody asks for one. */
export class StoredRow implements SoleRow {
  readonly #layout: Layout;
  #text: string;
  #cells: readonly Cell[] | null = null;

  constructor(layout: Layout, text: string) {
    this.#layout = layout;
    this.#text = text;
  }

  cell(column: string): Cell | undefined {
    const place = this.#layout.places.get(column);
    return place === undefined ? undefined : this.#parsed()[place];
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    const cells = this.#parsed();
    return this.#layout.columns.map((column, place) => [column, cells[place] ?? null] as const);
  }

  list(name: string): readonly ListedRow[] | undefined {
    return arrayRows(this.cell(name));
  }

  #parsed(): readonly Cell[] {
    if (this.#cells !== null) return this.#cells;
    const parsed: unknown = JSON.parse(this.#text);
    this.#cells = isCells(parsed) ? parsed : [];
    this.#text = '';
    return this.#cells;
  }
}

function isCells(value: unknown): value is readonly Cell[] {
  return Array.isArray(value) && value.every((cell) => cell === null || typeof cell === 'string');
}
