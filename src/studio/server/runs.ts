import { namedRun, withJournal } from '../../app/run/find-run.ts';
import { machineOf, statusOf, viewOf } from '../../app/status/look-at-run.ts';
import { runsJson } from '../../app/status/report/run-list.ts';
import { journalExists, listRuns } from '../../journal/index.ts';
import type { ExportStatus, RunLine, RunStatus } from '../wire/runs.ts';

const mostListed = 100;

/** The runs of the work dir, newest first; none where nothing has run yet. */
export function runLines(workDir: string): readonly RunLine[] {
  if (!journalExists(workDir)) return [];
  return withJournal(workDir, (file) => runsJson(file, listRuns(file, mostListed), machineOf(file, workDir)));
}

/** Where a run stands; throws a FatalError (usage) where there is none of that id. */
export function statusOfRun(workDir: string, id: string): RunStatus | ExportStatus {
  return withJournal(workDir, (file) => {
    const run = namedRun(file, workDir, id);
    return statusOf(file, run, viewOf(file, workDir, run));
  });
}

/** Asks the process that holds the lock of a run to end; false where there is none on this machine. */
export function stopRun(workDir: string, id: string): boolean {
  const { state, process: worker } = statusOfRun(workDir, id);
  if (state !== 'running' || worker === null) return false;
  process.kill(worker.pid, 'SIGTERM');
  return true;
}
