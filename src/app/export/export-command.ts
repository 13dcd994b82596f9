import { loadExportPipeline } from '../../pipeline/index.ts';
import { systemClock } from '../../workspace/index.ts';
import { createErrorRethrower, type PipelineCommandContext } from '../run/terminal/next-hint.ts';
import type { ContinuationPrecondition } from '../run/terminal/precondition.ts';
import { runPipelineWithSignals } from '../run/terminal/run-shown.ts';
import { printError, type Screen } from '../run/terminal/screen.ts';
import { createExportRun, type ExportRunOptions } from './export-run.ts';
import { startExportProgress } from './report/export-progress.ts';
import { renderExportResult } from './report/export-summary.ts';

/** The flags of export and resume. */
export interface ExportFlags extends ExportRunOptions, PipelineCommandContext {}

/** Runs an export and shows its progress and its result on the screen; returns the exit code. */
export async function runExportCommand(
  flags: ExportFlags,
  screen: Screen,
  precondition?: ContinuationPrecondition,
): Promise<number> {
  const { pipelineFile } = flags;
  const options = (['fresh', 'full', 'compact', 'accept'] as const).filter((flag) => flags[flag]);
  const rethrow = createErrorRethrower(flags, [
    'export',
    pipelineFile,
    ...options.map((flag) => `--${flag}`),
  ]);
  const pipeline = await loadExportPipeline(pipelineFile).catch(rethrow);
  const run = createExportRun(pipeline, flags, flags);
  const progress = screen.progress && startExportProgress({ screen: screen.progress, clock: systemClock });
  return await runPipelineWithSignals({ ...run, accept: precondition?.(pipeline) }, flags, {
    rethrow,
    progress,
    note: (text) => screen.note(text),
    stopped: (error) => printError(error, flags.invocation),
    reported: ({ run, again }) =>
      screen.result(() => renderExportResult(run, { colour: screen.colour, again }), run),
  });
}
