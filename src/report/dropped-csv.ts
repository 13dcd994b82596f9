import type { RowProblems } from '../journal/index.ts';
import { csvText } from './csv-list.ts';

/** The columns of the file. */
export const droppedColumns = ['_line', '_key', '_code', '_column', '_reason'];

/** The text of dropped.csv piece by piece: a line for every problem of rows that are not in rejects.csv. */
export function droppedCsv(windows: AsyncIterable<readonly RowProblems[]>): AsyncIterable<string> {
  return csvText(droppedColumns, linesOf(windows), (line) => line);
}

async function* linesOf(windows: AsyncIterable<readonly RowProblems[]>): AsyncIterable<readonly string[][]> {
  for await (const rows of windows) {
    yield rows.filter(({ outcome }) => outcome !== 'rejected' && outcome !== 'failed').flatMap(lines);
  }
}

function lines(row: RowProblems): string[][] {
  return row.problems.map((problem) => [
    String(row.line),
    row.key ?? '',
    problem.code,
    problem.column ?? '',
    problem.reason,
  ]);
}
