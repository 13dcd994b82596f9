import type { RunRecord } from '../../../journal/index.ts';
import { hint, toCommand } from '../../../model/command.ts';
import type { FatalError } from '../../../model/fatal-error.ts';
import type { ClientEvent, RunCallbacks } from '../caller.ts';
import {
  type AnyRunEvent,
  type EndedRunReport,
  type PipelineRun,
  type RunEnd,
  runPipeline,
} from '../run-pipeline.ts';
import type { CommandContext } from '../target.ts';
import { printError, printWarning, type Screen } from './screen.ts';
import { abortOnStopSignals } from './stop-signals.ts';

/** The callbacks of a command that shows a run on the screen. */
interface View<Event, R extends EndedRunReport>
  extends Pick<RunCallbacks<Event, R>, 'rethrow' | 'note' | 'reported' | 'stopped'> {
  readonly progress: { listen(event: Event | ClientEvent): void; stop(): void } | undefined;
}

/**
 * Runs a pipeline until it ends or a signal stops it, and returns the exit code; the progress is cleared before
 * anything else is printed.
 */
export async function runPipelineWithSignals<
  Event extends AnyRunEvent,
  End extends RunEnd,
  R extends EndedRunReport,
>(
  run: PipelineRun<Event, End, R>,
  { workDir, workspace, metrics, invocation }: CommandContext,
  { progress, ...view }: View<Event, R>,
): Promise<number> {
  try {
    const { exitCode } = await runPipeline(
      run,
      { workDir, workspace, metrics, invocation },
      {
        ...view,
        warn: printWarning,
        stoppable: abortOnStopSignals,
        listen: (event) => progress?.listen(event),
        ended: () => progress?.stop(),
        failed(error) {
          progress?.stop();
          printError(error, invocation);
        },
      },
    );
    return exitCode;
  } finally {
    progress?.stop();
  }
}

/** Prints the error that stopped a run; where no summary follows, the error itself says how to continue. */
export function printStopError(
  error: FatalError,
  { id, state }: Pick<RunRecord, 'id' | 'state'>,
  { invocation }: CommandContext,
  { json, quiet }: Screen,
): void {
  const isLast = state !== 'finished' && (json || quiet);
  const resume = hint`Continue with: ${toCommand('resume', id)}`;
  const next = error.next === undefined ? resume : hint`${error.next}\n${resume}`;
  printError(isLast ? error.with({ next }) : error, invocation);
}
