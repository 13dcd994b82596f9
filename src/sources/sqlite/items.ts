import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { brokenRow, rawLength } from '../broken-row.ts';
import { decodingOf } from '../encoding/decoding.ts';
import { firstUndecodable } from '../encoding/undecodable.ts';
import { RowLayout, TableRow, withNulls } from '../rows.ts';
import type { SqliteFileOptions } from './options.ts';
import type { FileTable } from './schema.ts';
import type { StoredRow, StoredValue, TableRows } from './table-rows.ts';

/**
 * What makes the item of the row that stands at a place (0 is the first): a row, or a broken row with its reason and what it
 * holds. `encoding` is the one in which the file holds text.
 */
export function itemMaker(
  table: FileTable,
  rows: TableRows,
  encoding: string,
  { maxRowBytes, nulls }: SqliteFileOptions,
): (row: StoredRow, place: number) => SourceItem {
  const layout = new RowLayout(table.columns);
  const decoded = (cell: string, index: number, place: number): string => {
    const bytes = rows.textBytes(table.columns[index] ?? '', place);
    if (bytes === null) return cell;
    const decoding = decodingOf(encoding);
    return decoding.write(bytes) + decoding.end();
  };
  return ({ bytes, values }, place) => {
    const line = place + 1;
    const cells = withNulls(values.map(cellOf), nulls);
    if (bytes > maxRowBytes) {
      const reason = `The row has ${bytes} bytes, more than ${maxRowBytes}. Raise "maxRowBytes" if it is meant to be.`;
      return broken(line, 'row.tooLarge', reason, cells);
    }
    // What SQLite cannot decode comes as U+FFFD, which may also stand in a valid text.
    if (!cells.some((cell) => cell?.includes('\ufffd'))) return new TableRow(line, layout, cells);
    const exact = cells.map((cell, index) => (cell?.includes('\ufffd') ? decoded(cell, index, place) : cell));
    const byte = exact.map((cell) => (cell === null ? null : firstUndecodable(cell))).find((found) => found);
    if (byte === undefined) return new TableRow(line, layout, cells);
    const reason = `The row holds the byte ${byte}, which is not valid ${encoding.toUpperCase()}. Fix the text in the database.`;
    return broken(line, 'row.encoding', reason, exact);
  };
}

function cellOf(value: StoredValue): Cell {
  if (value === null || typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? `0x${value.toString('hex')}` : String(value);
}

function broken(line: number, code: string, reason: string, cells: readonly Cell[]): BrokenRow {
  return brokenRow(line, code, reason, cells.map((cell) => cell?.slice(0, rawLength) ?? '').join('|'));
}
