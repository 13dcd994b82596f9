import { join } from 'node:path';
import { holdsLock, type JournalFile, listRuns } from '../journal/index.ts';
import { exportStatusJson, renderRuns, renderStatus, runsJson, statusJson } from '../report/index.ts';
import { type Machine, thisMachine } from '../report/liveness.ts';
import type { ExportStatus, RunStatus } from '../report/run-status.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { findRunOrLatest, withJournal } from './find-run.ts';
import type { Screen } from './screen.ts';

/** A run to look at: the latest unless it is named. */
export interface StatusFlags {
  readonly workDir: string;
  readonly run: string | undefined;
}

/** Shows where a run stands; returns the exit code. */
export function showStatus(flags: StatusFlags, screen: Screen): number {
  const { text, status } = lookAt(flags, screen);
  screen.result(text, status);
  return 0;
}

/** Where a run stands, as text and as JSON. */
export function lookAt(
  flags: StatusFlags,
  screen: Screen,
): { readonly text: () => string; readonly status: RunStatus | ExportStatus } {
  return withJournal(flags.workDir, (file) => {
    const run = findRunOrLatest(file, flags.workDir, flags.run);
    const workDir = shownWorkDir(flags.workDir);
    const runDir = join(flags.workDir, 'runs', run.id);
    const view = {
      columns: screen.columns,
      machine: machineOf(file, flags.workDir),
      runDir,
      ...(workDir !== undefined && { workDir }),
    };
    const text = screen.json ? '' : renderStatus(file, run, { colour: screen.colour, ...view });
    const status = run.kind === 'export' ? exportStatusJson(file, run, view) : statusJson(file, run, view);
    return { text: () => text, status };
  });
}

/** Lists the runs; returns the exit code. */
export function showRuns(flags: { readonly workDir: string; readonly last: number }, screen: Screen): number {
  return withJournal(flags.workDir, (file) => {
    const list = listRuns(file, flags.last);
    const machine = machineOf(file, flags.workDir);
    screen.result(
      () => renderRuns(file, list, { colour: screen.colour, columns: screen.columns, machine }),
      runsJson(file, list, machine),
    );
    return 0;
  });
}

/** A process works on a run here only while it holds the lock: its number alone may be another's by now. */
function machineOf(file: JournalFile, workDir: string): Machine {
  return {
    host: thisMachine.host,
    alive: (pid, at) => thisMachine.alive(pid, at) && holdsLock(file, workDir, pid, at),
  };
}
