import { listPendingDeferredSteps, listRuns } from '../../journal/index.ts';
import type { Invocation } from '../run/command-line.ts';
import { getRunOrLatest, withJournal } from '../run/find-run.ts';
import type { Screen } from '../run/terminal/screen.ts';
import {
  createLocalProcessProbe,
  createStatusContext,
  type PipelineNextSteps,
  readPipelineNextSteps,
  readRunStatus,
} from './look-at-run.ts';
import { renderRunList, toRunListEntries } from './report/run-list.ts';
import type { ExportStatus, RunStatus } from './report/run-status.ts';
import { renderRunStatus } from './report/run-status-text.ts';

/** The flags of status and watch; if `run` is undefined, they mean the latest run. */
export interface StatusFlags {
  readonly workDir: string;
  readonly invocation: Invocation;
  readonly run: string | undefined;
}

/** Shows the status of a run; returns the exit code. */
export async function runStatusCommand(flags: StatusFlags, screen: Screen): Promise<number> {
  const run = withJournal(flags.workDir, (file) => getRunOrLatest(file, flags.workDir, flags.run));
  const { text, status } = readStatusForScreen(
    { ...flags, run: run.id },
    screen,
    await readPipelineNextSteps(run),
  );
  screen.result(text, status);
  return 0;
}

/** Reads the status of a run as text and as JSON. */
export function readStatusForScreen(
  flags: StatusFlags,
  screen: Screen,
  { deferred, ...ofPipeline }: PipelineNextSteps,
): { readonly text: () => string; readonly status: RunStatus | ExportStatus } {
  return withJournal(flags.workDir, (file) => {
    const run = getRunOrLatest(file, flags.workDir, flags.run);
    const view = {
      ...createStatusContext(file, flags.workDir, run, flags.invocation),
      ...{ deferred: listPendingDeferredSteps({ file, run }, deferred), ...ofPipeline },
    };
    const status = readRunStatus(file, run, view);
    const { colour, columns } = screen;
    return { text: () => renderRunStatus(status, { colour, columns }), status };
  });
}

/** Prints the list of runs; returns the exit code. */
export function printRunList(
  flags: Omit<StatusFlags, 'run'> & { readonly last: number },
  screen: Screen,
): number {
  return withJournal(flags.workDir, (file) => {
    const list = listRuns(file, flags.last);
    const machine = createLocalProcessProbe(file, flags.workDir);
    screen.result(
      () =>
        renderRunList(file, list, {
          ...{ colour: screen.colour, columns: screen.columns },
          ...{ invocation: flags.invocation, machine },
        }),
      toRunListEntries(file, list, machine),
    );
    return 0;
  });
}
