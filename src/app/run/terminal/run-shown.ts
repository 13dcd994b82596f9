import type { RunRecord } from '../../../journal/index.ts';
import type { FatalError } from '../../../model/fatal-error.ts';
import type { ClientEvent, RunCaller } from '../caller.ts';
import { commandLine, nextText } from '../command-line.ts';
import { type AnyEvent, type PipelineRun, type Report, type RunEnd, runPipeline } from '../run-pipeline.ts';
import type { Site } from '../target.ts';
import { shownWorkDir } from '../work-dir.ts';
import { printError, printWarning, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

/** The callbacks of a command that shows a run on the screen. */
interface View<Event, R extends Report>
  extends Pick<RunCaller<Event, R>, 'rethrow' | 'note' | 'reported' | 'stopped'> {
  readonly progress: { listen(event: Event | ClientEvent): void; stop(): void } | undefined;
}

/**
 * Runs a pipeline until it ends or a signal stops it, and returns the exit code; the progress is cleared before
 * anything else is printed.
 */
export async function runWithSignals<Event extends AnyEvent, End extends RunEnd, R extends Report>(
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

/** Prints the error that stopped a run; where no summary follows, the error itself says how to continue. */
export function showStop(
  error: FatalError,
  { id, state }: Pick<RunRecord, 'id' | 'state'>,
  workDir: string,
  { json, quiet }: Screen,
): void {
  const isLast = state !== 'finished' && (json || quiet);
  const resume = `Continue with: ${commandLine(['resume', id], { workDir: shownWorkDir(workDir) })}`;
  const hint = nextText(error);
  const next = hint === undefined ? resume : `${hint}\n${resume}`;
  printError(isLast ? error.with({ next }) : error);
}
