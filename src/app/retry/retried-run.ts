import { hasOpenRowsInRetryChain, type JournalDatabase, type RunRecord } from '../../journal/index.ts';
import { listLatestRuns } from '../run/find-run.ts';

/**
 * Returns the latest finished import (of `pipeline` if given) with open rows. Skips imports that were retried, and
 * those after which the pipeline imported all rows into the same workspace again. Undefined if there is none.
 */
export function findLatestRunToRetry(file: JournalDatabase, pipeline?: string): RunRecord | undefined {
  const retried = new Set<string>();
  const seenAgain = new Set<string>();
  for (const run of listLatestRuns(file)) {
    const { kind, state, selection } = run;
    if (kind !== 'import' || state !== 'finished') continue;
    if (pipeline !== undefined && run.pipeline !== pipeline) continue;
    // The rows that a retry could not finish are open rows of the retry, so the retried run is skipped.
    if (selection.kind === 'retry') retried.add(selection.run);
    const input = JSON.stringify([run.pipeline, run.workspace]);
    const isOpen = !retried.has(run.id) && !seenAgain.has(input) && isRetryableRun(run);
    if (isOpen && hasOpenRowsInRetryChain(file, run)) return run;
    if (selection.kind === 'all') seenAgain.add(input);
  }
  return undefined;
}

/**
 * Returns true if a retry can repeat the run: a retry runs all steps of a row, while approved merges and deferred steps
 * are repeated by the command that started them.
 */
export function isRetryableRun({ selection }: RunRecord): boolean {
  return selection.kind === 'all' || selection.kind === 'retry';
}
