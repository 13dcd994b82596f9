import { hasOpenRows, type JournalFile, type RunRecord } from '../../journal/index.ts';
import { latestRuns } from '../run/find-run.ts';

/** The latest run, of a pipeline where one is named, with rows to retry that nobody has retried since. */
export function latestToRetry(file: JournalFile, pipeline?: string): RunRecord | undefined {
  const retried = new Set<string>();
  const seenAgain = new Set<string>();
  for (const run of latestRuns(file)) {
    const { kind, state, selection } = run;
    if (kind !== 'import' || state !== 'finished') continue;
    if (pipeline !== undefined && run.pipeline !== pipeline) continue;
    // What a retry could not do either stands in the retry's own rows.
    if (selection.kind === 'retry') retried.add(selection.run);
    const input = JSON.stringify([run.pipeline, run.workspace]);
    const isOpen = !retried.has(run.id) && !seenAgain.has(input) && canBeRetried(run);
    if (isOpen && hasOpenRows(file, run)) return run;
    if (selection.kind === 'all') seenAgain.add(input);
  }
  return undefined;
}

/** A retry takes all steps of a row; approved merges and deferred steps are run by what began them. */
export function canBeRetried({ selection }: RunRecord): boolean {
  return selection.kind === 'all' || selection.kind === 'retry';
}
