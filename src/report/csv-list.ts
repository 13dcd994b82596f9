import { stringify } from 'csv-stringify/sync';
import type { RunRecord } from '../journal/index.ts';
import { escapeCsvFormula } from '../model/spreadsheet-guard.ts';

/** The number of records in a page: few enough that reading one does not block other work noticeably. */
const pageSize = 500;

/**
 * Yields a list page by page, so that memory does not grow with its length; each page starts after the last record of
 * the previous one.
 */
export async function* iteratePagesAsync<T>(
  read: (after: T | undefined, limit: number) => readonly T[],
): AsyncIterable<readonly T[]> {
  let last: T | undefined;
  for (;;) {
    const page = read(last, pageSize);
    last = page.at(-1);
    if (last === undefined) return;
    yield page;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The columns that name the sheet of a row; a list has them only where its input has several sheets. */
const sheetColumns: ReadonlySet<string> = new Set(['_sheet', 'other_sheet']);

/** The CSV style of a list. */
export interface CsvListStyle {
  /** The text between two cells. */
  readonly delimiter: string;
  /** True if the text begins with a byte order mark, which marks it as UTF-8. */
  readonly bom: boolean;
  /** True if the rows come from several sheets. */
  readonly hasSheets: boolean;
}

/** The default style, for lists that programs read. */
const plainStyle: CsvListStyle = { delimiter: ',', bom: false, hasSheets: false };

/** The delimiters that spreadsheet programs recognise. */
const delimiters = [',', ';', '\t'];

/**
 * Returns the style of a list that suits the program that opens the input. The delimiter is the input's, or a comma if
 * spreadsheet programs do not recognise it. There is a byte order mark if the input has one or is not UTF-8.
 */
export function chooseCsvListStyle({ writing, sheets }: RunRecord): CsvListStyle {
  const hasSheets = Boolean(sheets);
  if (!writing) return { ...plainStyle, hasSheets };
  return {
    hasSheets,
    delimiter: delimiters.find((each) => each === writing.delimiter) ?? ',',
    bom: writing.bom || !/^utf-?8$/i.test(writing.encoding),
  };
}

/**
 * Yields the text of a list as CSV in chunks; nothing if the list is empty. Cells are escaped, so that no spreadsheet
 * program runs them as formulas.
 */
export async function* formatCsvList<T>(
  header: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (record: T) => readonly string[],
  { delimiter, bom, hasSheets }: CsvListStyle = plainStyle,
): AsyncIterable<string> {
  let first = true;
  const shown = (line: readonly string[]): readonly string[] =>
    hasSheets ? line : line.filter((_, n) => !sheetColumns.has(header[n] ?? ''));
  for await (const page of pages) {
    const lines = page.map((record) => shown(cells(record)).map(escapeCsvFormula));
    if (lines.length === 0) continue;
    yield stringify(first ? [shown(header).map(escapeCsvFormula), ...lines] : lines, {
      delimiter,
      bom: bom && first,
    });
    first = false;
  }
}
