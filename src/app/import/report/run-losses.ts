import type { RunRecord } from '../../../journal/index.ts';
import type { LeftBehindGroup } from '../../../model/left-behind.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import type { ProblemCount } from '../../../model/problem.ts';
import { runLossCodes } from '../../run/left-behind/kinds.ts';
import {
  addFirstPassLosses,
  listRejectedRowLosses,
  summariseLosses,
  takeHigherLossCounts,
} from '../../run/left-behind/left-behind.ts';
import type { ProblemConsequence } from './problem-digest.ts';

/** The rows, problems and tagged contacts of a run, as the journal has them. */
interface RunLosses {
  readonly run: RunRecord;
  readonly rows: RowCounts;
  readonly problems: readonly (Omit<ProblemCount, 'examples'> &
    Partial<Pick<ProblemCount, 'examples'>> & { readonly consequence: ProblemConsequence })[];
  /** Contacts in contact-tags.csv. */
  readonly tagged: number;
}

/**
 * Returns what an import leaves behind: rows and values as the journal counts them, and what only the first pass over
 * the input knows (`addFirstPassLosses`).
 */
export function computeLeftBehindGroups({ run, rows, problems, tagged }: RunLosses): LeftBehindGroup[] {
  const counts = problems.map(({ consequence, code, n, examples = [] }) => ({
    isOfRow: consequence === 'rejected' || consequence === 'failed',
    count: { code, n, examples },
  }));
  const of = (isOfRow: boolean) =>
    counts.filter((each) => each.isOfRow === isOfRow).map(({ count }) => count);
  const found = [
    ...of(false),
    ...listRejectedRowLosses(rows.rejected + rows.failed, of(true)),
    { code: runLossCodes.tagsByHand, n: tagged, examples: [] },
  ];
  const firstPass = run.leftBehind ?? [];
  if (rows.notReached > 0) return summariseLosses(takeHigherLossCounts(found, firstPass), tagged);
  // A rehearsal continues after the predicted stop at the error budget, but the real import would not: the rows after
  // that stop stay listed.
  const keepsPredictedStop = run.target === 'sandbox';
  return summariseLosses(
    addFirstPassLosses(
      found,
      firstPass.filter(({ code }) => keepsPredictedStop || code !== runLossCodes.notReached),
    ),
    tagged,
  );
}
