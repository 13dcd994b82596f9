import { type JournalFile, type RowRecord, rejectsAfter } from '../journal/index.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The columns that we add; in an input that is itself an older rejects.csv they are replaced, not doubled. */
const ours = ['_line', '_code', '_column', '_reason', '_raw'];

/** The text of rejects.csv piece by piece, nothing at all where no row was rejected or failed. */
export async function* rejectsCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const columns = await inputColumns(file, run);
  yield* csvText([...columns, ...ours], rejectPages(file, run), (row) => record(row, columns));
}

// Rows may have different columns, and a header comes first: so one pass for the columns, one for the rows.
async function inputColumns(file: JournalFile, run: number): Promise<string[]> {
  const columns = new Set<string>();
  for await (const page of rejectPages(file, run)) {
    for (const row of page) for (const [column] of row.cells ?? []) columns.add(column);
  }
  return [...columns].filter((column) => !ours.includes(column));
}

function rejectPages(file: JournalFile, run: number): AsyncIterable<readonly RowRecord[]> {
  return pagesOf((after, limit) => rejectsAfter(file, run, after?.seq ?? -1, limit));
}

function record(row: RowRecord, columns: readonly string[]): string[] {
  const cells = new Map(row.cells ?? []);
  const join = (part: (problem: RowRecord['problems'][number]) => string | null) =>
    row.problems.map((problem) => part(problem) ?? '').join(' | ');
  return [
    ...columns.map((column) => cells.get(column) ?? ''),
    String(row.line),
    join((problem) => problem.code),
    join((problem) => problem.column),
    join((problem) => problem.reason),
    row.raw ?? '',
  ];
}
