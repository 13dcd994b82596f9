import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { toColumnLetters } from '../../model/sheet-column.ts';
import { unescapeSheetFormula } from '../../model/spreadsheet-guard.ts';
import { createBrokenRow, formatTooLargeReason, maxRawTextLength } from '../broken-row.ts';
import { createHeaderLayout, detectHeader, type LeadingRow, maxHeaderSearchLines } from '../header.ts';
import { createInputError } from '../plain-file.ts';
import { convertNullTexts, RowLayout, TableRow } from '../rows.ts';
import { type CellContext, type CellWarningCounter, isDateCell, readCellText } from './cell-text.ts';
import type { XlsxOptions } from './options.ts';
import { formatCellAddress, type SheetRow } from './sheet-rows.ts';

/** The names of the file and the sheet that are read. */
interface Where {
  readonly file: string;
  readonly sheet: string;
  /** True if several sheets are read as one input. */
  readonly isOneOfSeveral: boolean;
}

/** Converts the rows of one sheet to items, in order; finds the header in the first rows. */
export class SheetItemConverter {
  readonly notes: string[] = [];
  readonly warnings: CellWarningCounter;
  /**
   * The number of the header's row, false if there is no header; may change until the first items are
   * returned.
   */
  headerRow: number | false;
  readonly #options: XlsxOptions;
  readonly #where: Where;
  #header: RowLayout | null = null;
  #width = 0;
  /** The first rows, held back until the header is found. */
  #head: SheetRow[] | null = null;

  constructor(options: XlsxOptions, warnings: CellWarningCounter, where: Where) {
    this.#options = options;
    this.warnings = warnings;
    this.#where = where;
    this.headerRow = options.headerRow ?? 1;
    if (typeof options.headerRow !== 'number') this.#head = [];
  }

  /**
   * Returns the layout of the columns, at the end of the sheet. Throws a FatalError('input') if the sheet has nothing
   * in the header row or below it.
   */
  header(): RowLayout {
    if (this.#header === null) throw this.#headless(null);
    return this.#header;
  }

  /**
   * Returns the items of rows, without the header, the rows above it and empty rows; none while rows are held
   * back to find the header.
   */
  items(rows: readonly SheetRow[], context: CellContext): readonly SourceItem[] {
    if (this.#head === null) return rows.flatMap((row) => this.#item(row, context) ?? []);
    this.#head.push(...rows);
    return this.#head.length < maxHeaderSearchLines ? [] : this.rest(context);
  }

  /** Returns the items of the rows held back, at the end of the sheet. */
  rest(context: CellContext): readonly SourceItem[] {
    const head = this.#head;
    this.#head = null;
    if (head === null || head.length === 0) return [];
    this.#findHeader(head, context);
    return head.flatMap((row) => this.#item(row, context) ?? []);
  }

  #findHeader(head: readonly SheetRow[], context: CellContext): void {
    const lines = toLeadingRows(head, context);
    const found = this.#options.headerRow === false ? null : detectHeader(lines);
    this.headerRow = found?.line ?? false;
    if (found === null) {
      this.#width = Math.max(0, ...lines.map(({ cells }) => cells.length));
      this.#header = new RowLayout(Array.from({ length: this.#width }, (_, at) => `Column ${at + 1}`));
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

  #item(row: SheetRow, context: CellContext): SourceItem | null {
    if (this.headerRow !== false && row.number < this.headerRow) return null;
    if (this.#header === null) {
      this.#readHeader(row, this.headerRow || 1, context);
      return null;
    }
    const cells = this.#read(row, this.#width, context);
    if ('kind' in cells) return cells;
    if (cells.every((cell) => cell === '')) return null;
    const named = convertNullTexts(cells, this.#options.nulls);
    const dates = row.cells.flatMap((cell) => (isDateCell(cell, context) ? [cell.column] : []));
    const known = dates.length === 0 ? undefined : new Set(dates);
    return new TableRow(row.number, this.#header, named, this.#sheet, known);
  }

  #readHeader(row: SheetRow, headerRow: number, context: CellContext): void {
    const { file } = this.#where;
    const last = Math.max(-1, ...row.cells.map(({ column }) => column));
    const cells = this.#read(row, last + 1, context);
    if ('kind' in cells) {
      const what = `has a header that cannot be read: ${cells.problem.reason}`;
      throw createInputError(file, what, 'Fix the header.', row.number);
    }
    const names = cells.map((cell) => cell ?? '');
    const width = names.findLastIndex((name) => name.trim() !== '') + 1;
    if (row.number !== headerRow || width === 0) throw this.#headless(row.number);
    this.#header = createHeaderLayout(
      names.slice(0, width),
      this.#options.duplicateHeaders,
      file,
      row.number,
    );
    this.#width = width;
  }

  #read(row: SheetRow, width: number, context: CellContext): readonly Cell[] | BrokenRow {
    const { maxRowBytes } = this.#options;
    const cells = Array<Cell>(width).fill('');
    let beyond: number | null = null;
    let nowhere: number | null = null;
    let bytes = 0;
    for (const stored of row.cells) {
      const text = readCellText(stored, row.number, context, this.warnings);
      if (text === undefined) nowhere ??= stored.column;
      else if (stored.column < width) cells[stored.column] = this.#bare(text);
      else if (text !== '' && text !== null) beyond ??= stored.column;
      bytes += Buffer.byteLength(text ?? '');
    }
    const sheet = this.#sheet;
    const at = sheet === undefined ? '' : `Sheet "${sheet}": `;
    const broken = (code: string, reason: string): BrokenRow => ({
      ...createBrokenRow(row.number, code, at + reason, rawText(row, context)),
      sheet,
    });
    if (row.tooLarge || bytes > maxRowBytes)
      return broken('row.tooLarge', formatTooLargeReason('row', maxRowBytes));
    if (nowhere !== null)
      return broken(
        'row.damaged',
        `The cell ${formatCellAddress(nowhere, row.number)} refers to a text that the workbook does not have. Export it again.`,
      );
    return beyond === null ? cells : broken('row.ragged', this.#raggedReason(beyond, row.number));
  }

  /** The sheet's name for its rows and messages; undefined if only one sheet is read. */
  get #sheet(): string | undefined {
    return this.#where.isOneOfSeveral ? this.#where.sheet : undefined;
  }

  #bare(cell: Cell): Cell {
    return this.#options.guarded === true && cell !== null ? unescapeSheetFormula(cell) : cell;
  }

  #raggedReason(beyond: number, row: number): string {
    const last = toColumnLetters(Math.max(0, this.#width - 1));
    const ends = this.headerRow === false ? 'the table' : `the header in row ${this.headerRow}`;
    return `The row has a cell in ${formatCellAddress(beyond, row)}, ${ends} ends with column ${last}. Name that column, empty the cell, or set the right "headerRow".`;
  }

  #headless(first: number | null): Error {
    const headerRow = this.headerRow || 1;
    const { file, sheet } = this.#where;
    if (first === null)
      return createInputError(
        file,
        `has nothing in row ${headerRow} of the sheet "${sheet}", or below it`,
        'Choose another sheet with "sheet", or export it again.',
      );
    return createInputError(
      file,
      `has nothing in row ${headerRow} of the sheet "${sheet}", where the names of the columns should be`,
      `The first row with something below is ${first}: if it names the columns, set "headerRow: ${first}".`,
      headerRow,
    );
  }
}

/** Returns the raw text of a row: its cells, joined by tabs. */
function rawText({ number, cells }: SheetRow, context: CellContext): string {
  const texts: string[] = [];
  let length = 0;
  for (const stored of cells) {
    if (length > maxRawTextLength) break;
    const text = readCellText(stored, number, context) ?? '';
    texts.push(text);
    length += text.length;
  }
  return texts.join('\t');
}

/** Returns the first rows of a sheet as texts; the index of a cell is the index of its column. */
export function toLeadingRows(rows: readonly SheetRow[], context: CellContext): readonly LeadingRow[] {
  return rows.map(({ number, cells: stored }) => {
    const cells: string[] = [];
    for (const cell of stored) cells[cell.column] = readCellText(cell, number, context) ?? '';
    return { line: number, cells: Array.from(cells, (cell) => cell ?? '') };
  });
}
