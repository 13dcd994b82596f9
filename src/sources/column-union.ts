import type { Row } from '../model/row.ts';

const mostColumns = 2000;

/** The columns that rows have had so far, in the order they were first seen. */
export class ColumnUnion {
  readonly #names = new Set<string>();

  add(row: Row): void {
    if (this.#names.size > mostColumns) return;
    for (const [column] of row.entries()) this.#names.add(column);
  }

  /** Null where none is known, or so many that nobody can mean them. */
  names(): readonly string[] | null {
    return this.#names.size === 0 || this.#names.size > mostColumns ? null : [...this.#names];
  }
}
