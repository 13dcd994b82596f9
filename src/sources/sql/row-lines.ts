import { createRowLine, type RowLine } from '../../model/row-place.ts';
import type { SqlTable } from './known-tables.ts';

/** Counts the records of each table that begin in one line, and returns the place of each; call it in the dump's order. */
export class SqlRowLines {
  readonly #last = new Map<SqlTable, { line: number; row: number }>();

  next(table: SqlTable, line: number): RowLine {
    const last = this.#last.get(table);
    if (last === undefined) {
      this.#last.set(table, { line, row: 1 });
      return line;
    }
    last.row = last.line === line ? last.row + 1 : 1;
    last.line = line;
    return createRowLine(line, last.row);
  }
}
