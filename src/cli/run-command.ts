import { type ExportJob, exportRun } from '../app/export/export-run.ts';
import { startExportProgress } from '../app/export/report/export-progress.ts';
import { renderExport } from '../app/export/report/export-summary.ts';
import type { ImportJob } from '../app/import/import-run.ts';
import { guardedImport } from '../app/plan/guarded-import.ts';
import type { ClientEvent, RunCaller } from '../app/run/caller.ts';
import { startProgress } from '../app/run/report/progress.ts';
import {
  type AnyEvent,
  type PipelineRun,
  type Report,
  type RunEnd,
  runPipeline,
} from '../app/run/run-pipeline.ts';
import type { Site } from '../app/run/target.ts';
import { loadExportPipeline, loadPipeline } from '../pipeline/index.ts';
import { selectionCommand } from '../report/words.ts';
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
  const run = guardedImport(pipeline, flags, flags);
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
export async function runShown<Event extends AnyEvent, End extends RunEnd, R extends Report>(
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
