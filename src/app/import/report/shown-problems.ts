import { cellsOf, type JournalFile, type RunRecord } from '../../../journal/index.ts';
import { placeOf } from '../../../model/row-place.ts';
import type { ShownProblem } from './page/problem-section.ts';
import type { ProblemDigest } from './problem-digest.ts';

/** More than a page shows. */
const most = 20;

/** Problems as the page shows them: with the cell of each example, where the row was kept and its reason does not repeat it. */
export function shownProblems(
  file: JournalFile,
  run: RunRecord,
  problems: readonly ProblemDigest[],
): ShownProblem[] {
  return problems.map((problem, index) => ({
    ...problem,
    examples: problem.examples.map((example) => {
      const { seq, column, reason } = example;
      const cell = index < most && column !== null ? cellOf(file, run, seq, column) : null;
      return {
        ...placeOf(example),
        column,
        reason,
        cell: cell !== null && !reason.includes(cell) ? cell : null,
      };
    }),
  }));
}

function cellOf(file: JournalFile, run: RunRecord, seq: number, column: string): string | null {
  const cells = cellsOf(file, run.number, seq) ?? [];
  const cell = cells.find(([name]) => name === column)?.[1] ?? null;
  return cell === '' ? null : cell;
}
