import { deferredStepsOf, listRuns } from '../../journal/index.ts';
import type { Invocation } from '../run/command-line.ts';
import { findRunOrLatest, withJournal } from '../run/find-run.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { deferredSteps, localMachine, readRunStatus, statusView } from './look-at-run.ts';
import { renderRuns, runsJson } from './report/run-list.ts';
import type { ExportStatus, RunStatus } from './report/run-status.ts';
import { renderStatus } from './report/run-status-text.ts';

/** The flags of status and watch; without `run`, the latest run. */
export interface StatusFlags {
  readonly workDir: string;
  readonly invocation: Invocation;
  readonly run: string | undefined;
}

/** Shows the status of a run; returns the exit code. */
export async function showStatus(flags: StatusFlags, screen: Screen): Promise<number> {
  const run = withJournal(flags.workDir, (file) => findRunOrLatest(file, flags.workDir, flags.run));
  const { text, status } = lookAt({ ...flags, run: run.id }, screen, await deferredSteps(run));
  screen.result(text, status);
  return 0;
}

/** Reads the status of a run as text and as JSON; `deferred` are the steps that its pipeline defers. */
export function lookAt(
  flags: StatusFlags,
  screen: Screen,
  deferred: readonly string[],
): { readonly text: () => string; readonly status: RunStatus | ExportStatus } {
  return withJournal(flags.workDir, (file) => {
    const run = findRunOrLatest(file, flags.workDir, flags.run);
    const view = {
      ...statusView(file, flags.workDir, run, flags.invocation),
      columns: screen.columns,
      deferred: deferredStepsOf({ file, run }, deferred),
    };
    const text = screen.json ? '' : renderStatus(file, run, { colour: screen.colour, ...view });
    const status = readRunStatus(file, run, view);
    return { text: () => text, status };
  });
}

/** Lists the runs; returns the exit code. */
export function showRuns(
  flags: Omit<StatusFlags, 'run'> & { readonly last: number },
  screen: Screen,
): number {
  return withJournal(flags.workDir, (file) => {
    const list = listRuns(file, flags.last);
    const machine = localMachine(file, flags.workDir);
    screen.result(
      () =>
        renderRuns(file, list, {
          ...{ colour: screen.colour, columns: screen.columns },
          ...{ invocation: flags.invocation, machine },
        }),
      runsJson(file, list, machine),
    );
    return 0;
  });
}
