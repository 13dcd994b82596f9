import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { decodingOf } from '../encoding/decoding.ts';
import { firstUndecodable, shown } from '../encoding/undecodable.ts';
import { RowLayout, TableRow, withNulls } from '../table-row.ts';
import type { SqliteFileOptions } from './options.ts';
import type { FileTable } from './schema.ts';
import type { StoredRow, StoredValue, TableRows } from './table-rows.ts';

const rawLength = 64 * 1024;

/** Makes items of the rows of a table: rows, or broken rows with their reason and what they hold. */
export class ItemMaker {
  readonly #table: FileTable;
  readonly #rows: TableRows;
  readonly #encoding: string;
  readonly #maxBytes: number;
  readonly #nulls: readonly string[];
  readonly #layout: RowLayout;

  /** `encoding` is the one in which the file holds text. */
  constructor(
    table: FileTable,
    rows: TableRows,
    encoding: string,
    { maxRowBytes, nulls }: SqliteFileOptions,
  ) {
    this.#table = table;
    this.#rows = rows;
    this.#encoding = encoding;
    this.#maxBytes = maxRowBytes;
    this.#nulls = nulls;
    this.#layout = new RowLayout(table.columns, table.columns);
  }

  /** The item of the row that stands at a place; 0 is the first. */
  item({ bytes, values }: StoredRow, place: number): SourceItem {
    const line = place + 1;
    const cells = withNulls(values.map(cellOf), this.#nulls);
    if (bytes > this.#maxBytes) {
      const reason = `The row has ${bytes} bytes, more than ${this.#maxBytes}. Raise "maxRowBytes" if it is meant to be.`;
      return broken(line, 'row.tooLarge', reason, cells);
    }
    // What SQLite cannot decode comes as U+FFFD, which may also stand in a sound text.
    if (!cells.some((cell) => cell?.includes('\ufffd'))) return new TableRow(line, this.#layout, cells);
    const exact = cells.map((cell, index) =>
      cell?.includes('\ufffd') ? this.#decoded(cell, index, place) : cell,
    );
    const byte = exact.map((cell) => (cell === null ? null : firstUndecodable(cell))).find((found) => found);
    if (byte === undefined) return new TableRow(line, this.#layout, cells);
    const reason = `The row holds the byte ${byte}, which is not valid ${this.#encoding.toUpperCase()}. Fix the text in the database.`;
    return broken(line, 'row.encoding', reason, exact);
  }

  #decoded(cell: string, index: number, place: number): string {
    const bytes = this.#rows.textBytes(this.#table.columns[index] ?? '', place);
    if (bytes === null) return cell;
    const decoding = decodingOf(this.#encoding);
    return decoding.write(bytes) + decoding.end();
  }
}

function cellOf(value: StoredValue): Cell {
  if (value === null || typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value);
}

function broken(line: number, code: string, reason: string, cells: readonly Cell[]): BrokenRow {
  const raw = shown(
    cells
      .map((cell) => cell?.slice(0, rawLength) ?? '')
      .join('|')
      .slice(0, rawLength),
  );
  return { kind: 'broken', line, problem: { code, column: null, reason }, raw };
}
