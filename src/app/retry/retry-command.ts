import { resolve } from 'node:path';
import {
  hasOpenRowsInRetryChain,
  type JournalDatabase,
  type RetrySelection,
  type RunRecord,
} from '../../journal/index.ts';
import { commandForHelp, commandForTarget, hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { buildCommandWordsForRun, buildCommandWordsForSelection } from '../../report/words.ts';
import { runImportCommand } from '../import/import-command.ts';
import { runPlanCommand } from '../plan/plan-command.ts';
import {
  assertNotPruned,
  getRunById,
  getRunOrLatest,
  toRunWithWorkspace,
  withJournal,
} from '../run/find-run.ts';
import type { CommandContext } from '../run/target.ts';
import { createContinuationPrecondition } from '../run/terminal/precondition.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { type CommentDecisionFile, readCommentDecisions } from './comment-decisions.ts';
import { findLatestRunToRetry, isRetryableRun } from './retried-run.ts';

interface RetryFlags extends CommandContext {
  readonly run: string | undefined;
  readonly from: string | undefined;
  readonly resend: boolean;
  readonly decided: string | undefined;
  readonly removed: boolean;
  readonly fresh: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Retries the rows of a finished run that were rejected, failed or are uncertain; returns the exit code. */
export async function runRetryCommand(flags: RetryFlags, screen: Screen): Promise<number> {
  const { workDir, metrics, invocation, fresh, resend, from, removed, yes } = flags;
  const { run, retried } = findRetried(workDir, flags.run);
  if (retried === undefined) {
    const whose = run === undefined ? 'no finished run here has a row' : `run ${run.id} has no row`;
    const text = `Nothing to retry: ${whose} that was rejected, failed or is uncertain.`;
    screen.result(() => text, { run: run?.id ?? null, toRetry: 0 });
    return 0;
  }
  const { id, file, source, target } = retried.run;
  const decisions = await decisionsOf(flags, id);
  const selection: RetrySelection = {
    ...{ kind: 'retry', run: id, resend },
    ...(from !== undefined && { from: resolve(from) }),
    ...(decisions && { decided: { file: decisions.file, fingerprint: decisions.fingerprint } }),
    ...(removed && { removed }),
  };
  const workspace = flags.workspace ?? target;
  const asked = {
    ...{ pipelineFile: file, fresh, full: false, selection, source, workspace, workDir, invocation, yes },
    ...(decisions && { decisions }),
  };
  if (flags.dryRun) return await runPlanCommand(asked, { choice: {}, diff: false }, screen);
  return await runImportCommand(
    { ...asked, metrics },
    screen,
    createContinuationPrecondition(retried, buildCommandWordsForSelection(selection, file)),
  );
}

/** Returns the decisions about the comments of the run; undefined where no file was given. */
async function decisionsOf(
  { decided, resend, from }: RetryFlags,
  run: string,
): Promise<CommentDecisionFile | undefined> {
  if (decided === undefined) return undefined;
  const other = resend ? '--resend' : from === undefined ? undefined : '--from';
  if (other !== undefined)
    throw new FatalError('usage', `--decided and ${other} cannot be used together.`, {
      next: commandForHelp('retry'),
    });
  return await readCommentDecisions(decided, run, (another) =>
    toCommand('retry', another, '--decided', decided),
  );
}

/**
 * Returns the run with this id or, without an id, the latest run with rows to retry that no other run has retried.
 * `retried` is undefined if there is no such run, or if it has no rows to retry.
 */
function findRetried(workDir: string, id: string | undefined) {
  return withJournal(workDir, (file) => {
    // Throws if there is no run at all.
    if (id === undefined) getRunOrLatest(file, workDir, undefined);
    const run = id === undefined ? findLatestRunToRetry(file) : named(file, workDir, id);
    return {
      run,
      retried: run && hasOpenRowsInRetryChain(file, run) ? toRunWithWorkspace(file, run) : undefined,
    };
  });
}

function named(file: JournalDatabase, workDir: string, id: string): RunRecord {
  const run = getRunById(file, workDir, id);
  assertNotPruned(run, workDir);
  if (run.state !== 'finished') {
    throw new FatalError('usage', `run ${run.id} is not finished: finish it before you retry rows.`, {
      next: hint`Continue it: ${toCommand('resume', run.id)}`,
    });
  }
  if (run.kind !== 'import') {
    const [what, again] = run.kind === 'export' ? ['an export', 'export'] : ['an undo', 'undo what is left'];
    throw new FatalError('usage', `run ${run.id} is ${what}: it has no rows to retry.`, {
      next: hint`To ${again} again: ${commandForTarget({ workspace: run.target }, ...buildCommandWordsForRun(run))}`,
    });
  }
  if (!isRetryableRun(run)) {
    const again = buildCommandWordsForSelection(run.selection, run.file);
    throw new FatalError('usage', `run ${run.id} applied only ${what(run)}: it has no rows to retry.`, {
      next: hint`To run it again: ${commandForTarget({ workspace: run.target, source: run.source }, ...again)}`,
    });
  }
  return run;
}

function what({ selection }: RunRecord): string {
  return selection.kind === 'approve' ? 'answered rows' : 'deferred steps';
}
