import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { unguardCell } from '../../model/spreadsheet-guard.ts';
import { CsvRow, Header, headerOf } from '../header.ts';
import { refused } from '../input-file.ts';
import { type HeadLine, headLines, likelyHeader } from '../likely-header.ts';
import { type CellContext, cellText } from './cell-text.ts';
import { Oddities } from './oddities.ts';
import type { XlsxOptions } from './options.ts';
import { columnName, type StoredRow } from './sheet-rows.ts';

const rawLength = 64 * 1024;

/** Makes items of the rows of one sheet, which come in order; the header is found in the first of them. */
export class SheetItems {
  readonly #context: CellContext;
  readonly #options: XlsxOptions;
  readonly #oddities: Oddities;
  readonly #where: { file: string; sheet: string };
  readonly notes: string[] = [];
  #header: Header | null = null;
  #headerRow: number | false;
  #width = 0;
  /** The first rows, until it is known which of them is the header. */
  #head: StoredRow[] | null = null;

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
    this.#headerRow = options.headerRow ?? 1;
    if (typeof options.headerRow !== 'number') this.#head = [];
  }

  /** The row of the header, false where there is none; known when items came. */
  get headerRow(): number | false {
    return this.#headerRow;
  }

  /** The columns. Throws a FatalError('input') where the header row was empty or never came. */
  header(): Header {
    if (this.#header === null) throw this.#headless(null);
    return this.#header;
  }

  /** The items of the next rows: none for the header, what is above it, and rows of empty cells. */
  items(rows: readonly StoredRow[]): readonly SourceItem[] {
    if (this.#head === null) return rows.flatMap((row) => this.#item(row) ?? []);
    this.#head.push(...rows);
    return this.#head.length < headLines ? [] : this.rest();
  }

  /** The items of the rows that were held back, when all have come. */
  rest(): readonly SourceItem[] {
    const head = this.#head;
    this.#head = null;
    if (head === null || head.length === 0) return [];
    this.#findHeader(head);
    return head.flatMap((row) => this.#item(row) ?? []);
  }

  #findHeader(head: readonly StoredRow[]): void {
    const lines = headOf(head, this.#context);
    const found = this.#options.headerRow === false ? null : likelyHeader(lines);
    this.#headerRow = found?.line ?? false;
    if (found === null) {
      this.#width = Math.max(0, ...lines.map(({ cells }) => cells.length));
      this.#header = new Header(Array.from({ length: this.#width }, (_, at) => `Column ${at + 1}`));
    }
    if (this.#options.headerRow === false) return;
    if (found === null)
      this.notes.push(
        'The first row looks like data, so the sheet seems to have no header: its columns are named "Column 1", "Column 2" and so on. If it has one, set "headerRow".',
      );
    else if (found.line !== head[0]?.number)
      this.notes.push(
        `The header is in row ${found.line}; the rows above it are left out. If that is wrong, set "headerRow".`,
      );
  }

  #item(row: StoredRow): SourceItem | null {
    if (this.#headerRow !== false && row.number < this.#headerRow) return null;
    if (this.#header === null) {
      this.#readHeader(row, this.#headerRow || 1);
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

  #readHeader(row: StoredRow, headerRow: number): void {
    const { duplicateHeaders } = this.#options;
    const last = Math.max(-1, ...row.cells.map(({ column }) => column));
    const { cells, broken } = this.#read(row, last + 1);
    if (broken !== null)
      throw refused(
        this.#where.file,
        `has a header that cannot be read: ${broken.problem.reason}`,
        'Fix the header.',
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
    const ends = this.#headerRow === false ? 'the table' : `the header in row ${this.#headerRow}`;
    return `The row has a cell in ${place}, ${ends} ends with column ${last}. Name that column, empty the cell, or set the right "headerRow".`;
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
    const headerRow = this.#headerRow || 1;
    const { file, sheet } = this.#where;
    if (first === null)
      return refused(
        file,
        `has nothing in row ${headerRow} of the sheet "${sheet}", or below it`,
        'Choose another sheet with "sheet", or export it again.',
      );
    return refused(
      file,
      `has nothing in row ${headerRow} of the sheet "${sheet}", where the names of the columns should be`,
      `The first row with something below is ${first}: if it names the columns, set "headerRow: ${first}".`,
      headerRow,
    );
  }
}

/** The first rows of a sheet as texts, each from the first column on. */
export function headOf(rows: readonly StoredRow[], context: CellContext): readonly HeadLine[] {
  // What is odd in a row is counted when it is read as an item.
  const unheard = new Oddities();
  return rows.map(({ number, cells: stored }) => {
    const cells: string[] = [];
    for (const cell of stored) cells[cell.column] = cellText(cell, number, context, unheard) ?? '';
    return { line: number, cells: Array.from(cells, (cell) => cell ?? '') };
  });
}
