import { stringify } from 'csv-stringify/sync';
import type { RowProblems } from '../journal/index.ts';
import { guardCell } from '../model/spreadsheet-guard.ts';

const header = ['_line', '_key', '_code', '_column', '_reason'];

/** The text of dropped.csv piece by piece: a line for every problem of rows that are not in rejects.csv. */
export async function* droppedCsv(windows: AsyncIterable<readonly RowProblems[]>): AsyncIterable<string> {
  let first = true;
  for await (const rows of windows) {
    const records = rows
      .filter(({ outcome }) => outcome !== 'rejected' && outcome !== 'failed')
      .flatMap(lines);
    if (records.length === 0) continue;
    yield stringify(first ? [header, ...records] : records);
    first = false;
  }
}

function lines(row: RowProblems): string[][] {
  return row.problems.map((problem) =>
    [String(row.line), row.key ?? '', problem.code, problem.column ?? '', problem.reason].map(guardCell),
  );
}
