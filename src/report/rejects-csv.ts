import { stringify } from 'csv-stringify/sync';
import { type JournalFile, type RowRecord, rejectsAfter } from '../journal/index.ts';
import { guardCell } from '../model/spreadsheet-guard.ts';

/** The columns that we add; in an input that is itself an older rejects.csv they are replaced, not doubled. */
const ours = ['_line', '_code', '_column', '_reason', '_raw'];

const pageSize = 500;

/** The text of rejects.csv piece by piece, nothing at all where no row was rejected or failed. */
export async function* rejectsCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const columns = await inputColumns(file, run);
  let first = true;
  for await (const page of rejectPages(file, run)) {
    const records = page.map((row) => record(row, columns));
    yield stringify(first ? [[...columns, ...ours].map(guardCell), ...records] : records);
    first = false;
  }
}

// Rows may have different columns, and a header comes first: so one pass for the columns, one for the rows.
async function inputColumns(file: JournalFile, run: number): Promise<string[]> {
  const columns = new Set<string>();
  for await (const page of rejectPages(file, run)) {
    for (const row of page) for (const [column] of row.cells ?? []) columns.add(column);
  }
  return [...columns].filter((column) => !ours.includes(column));
}

async function* rejectPages(file: JournalFile, run: number): AsyncIterable<readonly RowRecord[]> {
  let after = -1;
  for (;;) {
    const page = rejectsAfter(file, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.seq;
    await nextTurn();
  }
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
  ].map(guardCell);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
