import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { unguardCell } from '../../model/spreadsheet-guard.ts';
import { CsvRow, type Header, headerOf } from '../csv/header.ts';
import { refused } from '../input-file.ts';
import { type CellContext, cellText } from './cell-text.ts';
import { Oddities } from './oddities.ts';
import type { XlsxOptions } from './options.ts';
import { columnName, type StoredRow } from './sheet-rows.ts';

const rawLength = 64 * 1024;

/** Makes items of the rows of one sheet, which come in order; the header is found on the way. */
export class SheetItems {
  readonly #context: CellContext;
  readonly #options: XlsxOptions;
  readonly #oddities: Oddities;
  readonly #where: { file: string; sheet: string };
  #header: Header | null = null;
  #width = 0;

  constructor(
    context: CellContext,
    options: XlsxOptions,
    oddities: Oddities,
    where: { file: string; sheet: string },
  ) {
    this.#context = context;
    this.#options = options;
    this.#oddities = oddities;
    this.#where = where;
  }

  /** The columns. Throws a FatalError('input') where the header row was empty or never came. */
  header(): Header {
    if (this.#header === null) throw this.#headless(null);
    return this.#header;
  }

  /** The item of a row; null for one that is none: the header, what stands above it, and rows of empty cells. */
  item(row: StoredRow): SourceItem | null {
    const { headerRow } = this.#options;
    if (row.number < headerRow) return null;
    if (this.#header === null) {
      this.#readHeader(row);
      return null;
    }
    const { cells, broken } = this.#read(row, this.#width);
    if (broken !== null) return broken;
    if (cells.every((cell) => cell === '')) return null;
    const { nulls } = this.#options;
    const known =
      nulls.length === 0 ? cells : cells.map((cell) => (cell !== null && nulls.includes(cell) ? null : cell));
    return new CsvRow(row.number, this.#header, known);
  }

  #readHeader(row: StoredRow): void {
    const { headerRow, duplicateHeaders } = this.#options;
    const last = Math.max(-1, ...row.cells.map(({ column }) => column));
    const { cells, broken } = this.#read(row, last + 1);
    if (broken !== null)
      throw refused(
        this.#where.file,
        `has a header that cannot be read: ${broken.problem.reason}`,
        'Mend it.',
        row.number,
      );
    const names = cells.map((cell) => cell ?? '');
    const width = names.findLastIndex((name) => name.trim() !== '') + 1;
    if (row.number !== headerRow || width === 0) throw this.#headless(row.number);
    this.#header = headerOf(names.slice(0, width), duplicateHeaders, this.#where.file, row.number);
    this.#width = width;
  }

  #read(row: StoredRow, width: number): { cells: readonly Cell[]; broken: BrokenRow | null } {
    const cells = Array<Cell>(width).fill('');
    let beyond: number | null = null;
    let nowhere: number | null = null;
    let bytes = 0;
    for (const stored of row.cells) {
      const text = cellText(stored, row.number, this.#context, this.#oddities);
      if (text === undefined) nowhere ??= stored.column;
      else if (stored.column < width) cells[stored.column] = this.#bare(text);
      else if (text !== '' && text !== null) beyond ??= stored.column;
      bytes += Buffer.byteLength(text ?? '');
    }
    const broken = (code: string, reason: string) => ({
      cells,
      broken: {
        kind: 'broken' as const,
        line: row.number,
        problem: { code, column: null, reason },
        raw: this.#raw(row),
      },
    });
    const most = this.#options.maxRowBytes;
    if (row.tooLarge || bytes > most)
      return broken(
        'row.tooLarge',
        `The row is larger than ${most} bytes. Raise "maxRowBytes" if it is meant to be.`,
      );
    if (nowhere !== null) {
      const place = `${columnName(nowhere)}${row.number}`;
      return broken(
        'row.damaged',
        `The cell ${place} refers to a text that the workbook does not have. Export it again.`,
      );
    }
    if (beyond !== null) return broken('row.ragged', this.#raggedReason(beyond, row.number));
    return { cells, broken: null };
  }

  #bare(cell: Cell): Cell {
    return this.#options.guarded === true && cell !== null ? unguardCell(cell) : cell;
  }

  #raggedReason(beyond: number, row: number): string {
    const last = columnName(Math.max(0, this.#width - 1));
    const place = `${columnName(beyond)}${row}`;
    return `The row has a cell in ${place}, the header in row ${this.#options.headerRow} ends with column ${last}. Name that column, empty the cell, or state the right "headerRow".`;
  }

  /** What a person needs to find the row: its texts, a tab between two. */
  #raw(row: StoredRow): string {
    const texts: string[] = [];
    let length = 0;
    for (const stored of row.cells) {
      if (length > rawLength) break;
      // What is odd in the row was counted when it was read.
      const text = cellText(stored, row.number, this.#context, new Oddities()) ?? '';
      texts.push(text);
      length += text.length;
    }
    return texts.join('\t').slice(0, rawLength);
  }

  #headless(first: number | null): Error {
    const { headerRow } = this.#options;
    const { file, sheet } = this.#where;
    if (first === null)
      return refused(
        file,
        `has nothing in row ${headerRow} of the sheet "${sheet}", or below it`,
        'Name another sheet with "sheet", or export it again.',
      );
    return refused(
      file,
      `has nothing in row ${headerRow} of the sheet "${sheet}", where the names of the columns should be`,
      `The first row with something below is ${first}: if it names the columns, state "headerRow: ${first}".`,
      headerRow,
    );
  }
}
