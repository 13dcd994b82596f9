import { type JournalFile, type RowRecord, type RunRecord, rejectsAfter } from '../journal/index.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** Those that spreadsheets know. */
const delimiters = [',', ';', '\t'];

/** The columns that we add; in an input that is itself an older rejects.csv they are replaced, not doubled. */
export const rejectsOwnColumns = ['_row', '_line', '_code', '_column', '_reason', '_raw'];

/**
 * The text of rejects.csv chunk by chunk, nothing at all where no row was rejected or failed. It is written so that what
 * opens the input opens it, too: with the input's delimiter and BOM; where the input is not UTF-8, a BOM says that this is.
 */
export async function* rejectsCsv(file: JournalFile, run: RunRecord): AsyncIterable<string> {
  const columns = await inputColumns(file, run);
  const { writing } = run;
  const written = {
    delimiter: delimiters.find((each) => each === writing?.delimiter) ?? ',',
    bom: writing ? writing.bom || !/^utf-?8$/i.test(writing.encoding) : false,
  };
  const rows = rejectPages(file, run.number);
  yield* csvText([...columns, ...rejectsOwnColumns], rows, (row) => record(row, columns, run.id), written);
}

// Rows may have different columns, and a header comes first: so one pass for the columns, one for the rows.
async function inputColumns(file: JournalFile, run: RunRecord): Promise<string[]> {
  const columns = new Set<string>(run.columns ?? []);
  for await (const page of rejectPages(file, run.number)) {
    for (const row of page) for (const [column] of row.cells ?? []) columns.add(column);
  }
  return [...columns].filter((column) => !rejectsOwnColumns.includes(column));
}

function rejectPages(file: JournalFile, run: number): AsyncIterable<readonly RowRecord[]> {
  return pagesOf((after, limit) => rejectsAfter(file, run, after?.seq ?? -1, limit));
}

function record(row: RowRecord, columns: readonly string[], run: string): string[] {
  const cells = new Map(row.cells ?? []);
  const join = (part: (problem: RowRecord['problems'][number]) => string | null) =>
    row.problems.map((problem) => part(problem) ?? '').join(' | ');
  return [
    ...columns.map((column) => cells.get(column) ?? ''),
    row.hash === null ? '' : `${run}:${row.hash}`,
    String(row.line),
    join((problem) => problem.code),
    join((problem) => problem.column),
    join((problem) => problem.reason),
    row.raw ?? '',
  ];
}
