import { hasOpenRows, type JournalFile, type RunRecord } from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { commandLine } from '../report/next-steps.ts';
import { runCommand, selectionCommand } from '../report/words.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { type FoundRun, findRunOrLatest, found, latestRuns, namedRun, withJournal } from './find-run.ts';

/** The run that a retry is about, or that there is nothing to take up: of the named run, or of any. */
type Retried =
  | { readonly kind: 'rows'; readonly found: FoundRun }
  | { readonly kind: 'nothing'; readonly run: string | undefined };

/** The named run, or the latest with rows to retry that nobody has taken up since. */
export function findRetried(workDir: string, id: string | undefined): Retried {
  return withJournal(workDir, (file) => {
    const run = id === undefined ? latest(file, workDir) : named(file, workDir, id);
    return run === undefined || !hasOpenRows(file, run)
      ? { kind: 'nothing', run: run?.id }
      : { kind: 'rows', found: found(file, run) };
  });
}

function latest(file: JournalFile, workDir: string): RunRecord | undefined {
  findRunOrLatest(file, workDir, undefined);
  const retried = new Set<string>();
  const seenAgain = new Set<string>();
  for (const run of latestRuns(file)) {
    const { kind, state, selection } = run;
    if (kind !== 'import' || state !== 'finished') continue;
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
function canBeRetried({ selection }: RunRecord): boolean {
  return selection.kind === 'all' || selection.kind === 'retry';
}

function named(file: JournalFile, workDir: string, id: string): RunRecord {
  const run = namedRun(file, workDir, id);
  const context = { workDir: shownWorkDir(workDir) };
  if (run.state !== 'finished') {
    throw new FatalError('usage', `run ${run.id} is not finished: finish it before you retry rows.`, {
      next: `Continue it: ${commandLine(['resume', run.id], context)}`,
    });
  }
  if (run.kind === 'export') {
    throw new FatalError('usage', `run ${run.id} is an export: it has no rows to retry.`, {
      next: `To export again: ${commandLine(runCommand(run), { ...context, workspace: run.target })}`,
    });
  }
  if (!canBeRetried(run)) {
    const again = selectionCommand(run.selection, run.file);
    throw new FatalError('usage', `run ${run.id} applied only ${what(run)}: it has no rows to retry.`, {
      next: `To run it again: ${commandLine(again, { ...context, workspace: run.target, source: run.source })}`,
    });
  }
  return run;
}

function what({ selection }: RunRecord): string {
  return selection.kind === 'approve' ? 'approved merges' : 'deferred steps';
}
