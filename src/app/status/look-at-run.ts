import { join } from 'node:path';
import { isLockHolder, type JournalFile, type RunRecord } from '../../journal/index.ts';
import { localProcessProbe, type ProcessProbe } from '../../report/liveness.ts';
import type { Invocation } from '../run/command-line.ts';
import { workDirArgument } from '../run/work-dir.ts';
import type { ExportStatus, RunStatus, StatusView } from './report/run-status.ts';
import { exportStatusJson, statusJson } from './report/run-status.ts';

/** Where a run stands, as its JSON. */
export function readRunStatus(file: JournalFile, run: RunRecord, view: StatusView): RunStatus | ExportStatus {
  return run.kind === 'export' ? exportStatusJson(file, run, view) : statusJson(file, run, view);
}

/** From where a run of this work dir is looked at. */
export function statusView(
  file: JournalFile,
  workDir: string,
  run: RunRecord,
  invocation: Invocation,
): StatusView {
  return {
    invocation: { ...invocation, workDir: workDirArgument(workDir) },
    machine: localMachine(file, workDir),
    runDir: join(workDir, 'runs', run.id),
  };
}

/** A process works on a run here only while it holds the lock: its number alone may be another's by now. */
export function localMachine(file: JournalFile, workDir: string): ProcessProbe {
  return {
    host: localProcessProbe.host,
    alive: (pid, at) => localProcessProbe.alive(pid, at) && isLockHolder(file, workDir, pid, at),
  };
}

/** Of a long run's journal a look takes long: between two of them, so many times as long. */
const restPerLook = 10;

/** How long to wait before the next look, in ms, where the last one took `took`. */
export function pauseAfterRead(took: number, pace: number): number {
  return Math.max(pace, took * restPerLook);
}

/** The steps that the pipeline of a run defers; none where it cannot be read any more, of which a start would say why. */
export async function deferredSteps({
  file,
  kind,
}: Pick<RunRecord, 'file' | 'kind'>): Promise<readonly string[]> {
  if (kind !== 'import') return [];
  try {
    const { loadPipelineOfKind: loadKind } = await import('../../pipeline/index.ts');
    return (await loadKind(file, 'import')).settings.deferred;
  } catch {
    return [];
  }
}
