import type { RunRecord } from '../../../journal/index.ts';
import type { LeftBehind } from '../../../model/left-behind.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import type { ProblemCount } from '../../../model/problem.ts';
import { runLossCodes } from '../../run/left-behind/kinds.ts';
import {
  addFirstPassLosses,
  addLossesToCome,
  rejectedRowLosses,
  summariseLosses,
} from '../../run/left-behind/left-behind.ts';
import type { Consequence } from './problem-digest.ts';

/** The rows, problems and tagged contacts of a run, as the journal has them. */
interface RunLosses {
  readonly run: RunRecord;
  readonly rows: RowCounts;
  readonly problems: readonly (Omit<ProblemCount, 'examples'> &
    Partial<Pick<ProblemCount, 'examples'>> & { readonly consequence: Consequence })[];
  /** Contacts in contact-tags.csv. */
  readonly tagged: number;
}

/** Returns what an import leaves behind: its rows by the journal, the rest by its first pass. */
export function computeRunLosses({ run, rows, problems, tagged }: RunLosses): LeftBehind[] {
  const counts = problems.map(({ consequence, code, n, examples = [] }) => ({
    isOfRow: consequence === 'rejected' || consequence === 'failed',
    count: { code, n, examples },
  }));
  const of = (isOfRow: boolean) =>
    counts.filter((each) => each.isOfRow === isOfRow).map(({ count }) => count);
  const found = [
    ...of(false),
    ...rejectedRowLosses(rows.rejected + rows.failed, of(true)),
    { code: runLossCodes.tagsByHand, n: tagged, examples: [] },
  ];
  const firstPass = run.leftBehind ?? [];
  if (rows.notReached > 0) return summariseLosses(addLossesToCome(found, firstPass));
  // A rehearsal runs to its end where the real import would have stopped.
  const wasStopped = run.target === 'sandbox';
  return summariseLosses(
    addFirstPassLosses(
      found,
      firstPass.filter(({ code }) => wasStopped || code !== runLossCodes.notReached),
    ),
  );
}
