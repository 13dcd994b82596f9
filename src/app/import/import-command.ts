import type { FatalError } from '../../model/fatal-error.ts';
import { loadImportPipeline } from '../../pipeline/index.ts';
import { buildCommandWordsForSelection } from '../../report/words.ts';
import { systemClock } from '../../workspace/index.ts';
import { createGuardedImportRun } from '../plan/guarded-import.ts';
import { toDisplayPath } from '../run/near-path.ts';
import { startProgressDisplay } from '../run/report/progress.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import type { ContinuationPrecondition } from '../run/terminal/precondition.ts';
import { printStopError, runPipelineWithSignals } from '../run/terminal/run-shown.ts';
import type { Screen } from '../run/terminal/screen.ts';
import type { ImportResult, ImportRunOptions } from './import-run.ts';
import { renderSummary } from './report/terminal.ts';

/** The flags of import, resume and retry. */
export interface ImportFlags extends ImportRunOptions, PipelineCommandContext {}

/** Runs an import and shows its progress and result on the screen; returns the exit code. */
export async function runImportCommand(
  flags: ImportFlags,
  screen: Screen,
  precondition?: ContinuationPrecondition,
): Promise<number> {
  const { pipelineFile, source } = flags;
  const rethrow = createErrorRethrower(flags, buildCommandWordsForSelection(flags.selection, pipelineFile));
  const pipeline = await loadImportPipeline(pipelineFile, source).catch(rethrow);
  const run = createGuardedImportRun(pipeline, flags, flags);
  const progress = screen.progress && startProgressDisplay({ screen: screen.progress, clock: systemClock });
  return await runPipelineWithSignals({ ...run, accept: precondition?.(pipeline) }, flags, {
    rethrow,
    progress,
    note: (text) => screen.note(text),
    stopped: (error, run) => printStopError(error, run, flags, screen),
    reported: (report, error) => showEnd(report, error, flags, screen),
  });
}

/** Shows the result of an import, and what stopped it unless that is shown as an error. */
function showEnd(
  { run, problems, deferred, canCorrectRejects }: ImportResult,
  error: FatalError | undefined,
  { pipelineFile, workspace, source, invocation }: PipelineCommandContext,
  screen: Screen,
): void {
  const { colour, columns } = screen;
  const text = () =>
    renderSummary(run, problems, {
      ...{ colour, columns, deferred, canCorrectRejects, workspace, source, invocation },
      pipelineFile: toDisplayPath(pipelineFile),
      message: error === undefined ? run.message : undefined,
    });
  screen.result(text, run);
}
