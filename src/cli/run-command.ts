import { startExportProgress } from '../report/export-progress.ts';
import { renderExport } from '../report/export-summary.ts';
import { startProgress } from '../report/index.ts';
import { selectionCommand } from '../report/words.ts';
import type { ImportEnd } from '../runs/import/import.ts';
import { loadExportPipeline, loadPipeline } from '../runs/pipeline/index.ts';
import type { ClientEvent, RunCaller } from '../wiring/caller.ts';
import { type ExportJob, exportRun } from '../wiring/export-run.ts';
import { type ImportJob, importRun } from '../wiring/import-run.ts';
import { type AnyEvent, type PipelineRun, type Report, runPipeline } from '../wiring/run-pipeline.ts';
import type { Site } from '../wiring/target.ts';
import { systemClock } from '../workspace/index.ts';
import { type Typed, withCommands } from './next-hint.ts';
import type { Precondition } from './precondition.ts';
import { printError, printWarning, type Screen } from './screen.ts';
import { showEnd, showStop } from './show-end.ts';
import { onStopSignals } from './stop-signals.ts';

/** What import, resume and retry ask for. */
export interface ImportFlags extends ImportJob, Typed {}

/** What export and resume ask for. */
export interface ExportFlags extends ExportJob, Typed {}

/** Runs an import and shows on the screen how it goes and what it came to; returns the exit code. */
export async function runImportCommand(
  flags: ImportFlags,
  screen: Screen,
  precondition?: Precondition,
): Promise<number> {
  const { pipelineFile, source, workDir } = flags;
  const rethrow = withCommands(flags, selectionCommand(flags.selection, pipelineFile));
  const pipeline = await loadPipeline(pipelineFile, source).catch(rethrow);
  const run = importRun(pipeline, flags, flags);
  const progress = screen.progress && startProgress({ screen: screen.progress, clock: systemClock });
  return await runShown({ ...run, accept: precondition?.(pipeline) }, flags, {
    rethrow,
    progress,
    note: (text) => screen.note(text),
    stopped: (error, run) => showStop(error, run, workDir, screen),
    reported: (report, error) => showEnd(report, error, flags, screen),
  });
}

/** Runs an export and shows on the screen how it goes and what it came to; returns the exit code. */
export async function runExportCommand(
  flags: ExportFlags,
  screen: Screen,
  precondition?: Precondition,
): Promise<number> {
  const { pipelineFile } = flags;
  const options = (['fresh', 'full', 'compact', 'accept'] as const).filter((flag) => flags[flag]);
  const rethrow = withCommands(flags, ['export', pipelineFile, ...options.map((flag) => `--${flag}`)]);
  const pipeline = await loadExportPipeline(pipelineFile).catch(rethrow);
  const run = exportRun(pipeline, flags, flags);
  const progress = screen.progress && startExportProgress({ screen: screen.progress, clock: systemClock });
  return await runShown({ ...run, accept: precondition?.(pipeline) }, flags, {
    rethrow,
    progress,
    note: (text) => screen.note(text),
    stopped: printError,
    reported: ({ run, again }) =>
      screen.result(() => renderExport(run, { colour: screen.colour, again }), run),
  });
}

interface View<Event, R extends Report>
  extends Pick<RunCaller<Event, R>, 'rethrow' | 'note' | 'reported' | 'stopped'> {
  readonly progress: { listen(event: Event | ClientEvent): void; stop(): void } | undefined;
}

/** Runs with signals to stop it; its progress is cleared before anything else is printed. */
export async function runShown<Event extends AnyEvent, End extends ImportEnd, R extends Report>(
  run: PipelineRun<Event, End, R>,
  { workDir, workspace, metrics }: Site,
  { progress, ...view }: View<Event, R>,
): Promise<number> {
  try {
    const { exitCode } = await runPipeline(
      run,
      { workDir, workspace, metrics },
      {
        ...view,
        warn: printWarning,
        stoppable: onStopSignals,
        listen: (event) => progress?.listen(event),
        ended: () => progress?.stop(),
        failed(error) {
          progress?.stop();
          printError(error);
        },
      },
    );
    return exitCode;
  } finally {
    progress?.stop();
  }
}
