import { stringify } from 'csv-stringify/sync';
import type { RunRecord } from '../journal/index.ts';
import { guardCsvCell } from '../model/spreadsheet-guard.ts';

/** Few enough to be a moment's work, so that nobody else waits. */
const pageSize = 500;

/** Reads a list page by page, each after the last record of the page before, so that memory does not feel its length. */
export async function* pagesOf<T>(
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

/** The columns of lists that name the sheet of a row: where, and only where, the input is several sheets. */
const sheetColumns: ReadonlySet<string> = new Set(['_sheet', 'other_sheet']);

/** How a list is written. */
export interface ListStyle {
  /** What is between two cells. */
  readonly delimiter: string;
  /** Whether a byte order mark says that it is UTF-8. */
  readonly bom: boolean;
  /** Whether rows are of several sheets. */
  readonly hasSheets: boolean;
}

/** The style that everything has which no person opens. */
const plainStyle: ListStyle = { delimiter: ',', bom: false, hasSheets: false };

/** Those that spreadsheets know. */
const delimiters = [',', ';', '\t'];

/**
 * The style of a list for people: what opens the input opens the list, too, by the same delimiter and byte order mark; where the
 * input is not UTF-8, a byte order mark says that the list is.
 */
export function styleOfInput({ writing, sheets }: RunRecord): ListStyle {
  const hasSheets = Boolean(sheets);
  if (!writing) return { ...plainStyle, hasSheets };
  return {
    hasSheets,
    delimiter: delimiters.find((each) => each === writing.delimiter) ?? ',',
    bom: writing.bom || !/^utf-?8$/i.test(writing.encoding),
  };
}

/** The text of a list as CSV chunk by chunk, safe for spreadsheets; nothing at all where the list is empty. */
export async function* csvText<T>(
  header: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (record: T) => readonly string[],
  { delimiter, bom, hasSheets }: ListStyle = plainStyle,
): AsyncIterable<string> {
  let first = true;
  const shown = (line: readonly string[]): readonly string[] =>
    hasSheets ? line : line.filter((_, n) => !sheetColumns.has(header[n] ?? ''));
  for await (const page of pages) {
    const lines = page.map((record) => shown(cells(record)).map(guardCsvCell));
    if (lines.length === 0) continue;
    yield stringify(first ? [shown(header).map(guardCsvCell), ...lines] : lines, {
      delimiter,
      bom: bom && first,
    });
    first = false;
  }
}
