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

/** How the cells of a list are parted, and whether a byte order mark says that it is UTF-8. */
export interface ListStyle {
  readonly delimiter: string;
  readonly bom: boolean;
}

/** The style that everything has which no person opens. */
const plainStyle: ListStyle = { delimiter: ',', bom: false };

/** Those that spreadsheets know. */
const delimiters = [',', ';', '\t'];

/**
 * The style of a list for people: what opens the input opens the list, too, by the same delimiter and byte order mark; where the
 * input is not UTF-8, a byte order mark says that the list is.
 */
export function styleOfInput({ writing }: RunRecord): ListStyle {
  if (!writing) return plainStyle;
  return {
    delimiter: delimiters.find((each) => each === writing.delimiter) ?? ',',
    bom: writing.bom || !/^utf-?8$/i.test(writing.encoding),
  };
}

/** The text of a list as CSV chunk by chunk, safe for spreadsheets; nothing at all where the list is empty. */
export async function* csvText<T>(
  header: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  cells: (record: T) => readonly string[],
  { delimiter, bom }: ListStyle = plainStyle,
): AsyncIterable<string> {
  let first = true;
  for await (const page of pages) {
    const lines = page.map((record) => cells(record).map(guardCsvCell));
    if (lines.length === 0) continue;
    yield stringify(first ? [header.map(guardCsvCell), ...lines] : lines, { delimiter, bom: bom && first });
    first = false;
  }
}
