import { join } from 'node:path';
import { isLockHolder, type JournalDatabase, type RunRecord } from '../../journal/index.ts';
import { localProcessProbe, type ProcessProbe } from '../../report/liveness.ts';
import type { Invocation } from '../run/command-line.ts';
import { toWorkDirArgument } from '../run/work-dir.ts';
import type { ExportStatus, RunStatus, StatusContext } from './report/run-status.ts';
import { createExportStatus, createRunStatus } from './report/run-status.ts';

/** Returns the status of a run, as `longshore status --json` prints it. */
export function readRunStatus(
  file: JournalDatabase,
  run: RunRecord,
  view: StatusContext,
): RunStatus | ExportStatus {
  return run.kind === 'export' ? createExportStatus(file, run, view) : createRunStatus(file, run, view);
}

/** Creates the context in which the status of a run of this work dir is read. */
export function createStatusContext(
  file: JournalDatabase,
  workDir: string,
  run: RunRecord,
  invocation: Invocation,
): StatusContext {
  return {
    invocation: { ...invocation, workDir: toWorkDirArgument(workDir) },
    machine: createLocalProcessProbe(file, workDir),
    runDir: join(workDir, 'runs', run.id),
  };
}

/**
 * Creates a probe of this machine's processes that reports a process as alive only if it also holds a lock of the work
 * dir, because process numbers are reused.
 */
export function createLocalProcessProbe(file: JournalDatabase, workDir: string): ProcessProbe {
  return {
    host: localProcessProbe.host,
    alive: (pid, at) => localProcessProbe.alive(pid, at) && isLockHolder(file, workDir, pid, at),
  };
}

/** The shortest pause between two reads, as a multiple of the time that the last read took. */
const restPerLook = 10;

/** Returns the pause before the next read (ms): `pace`, or longer after a slow read. */
export function computePauseAfterRead(took: number, pace: number): number {
  return Math.max(pace, took * restPerLook);
}

/** What the pipeline of an import says about the next steps after a run. */
export interface PipelineNextSteps {
  /** The steps that it defers. */
  readonly deferred: readonly string[];
  /** False if a corrected rejects.csv cannot be retried, because it would lack lists of the rows. */
  readonly canCorrectRejects: boolean;
  /** The options of its source that leave out rows; absent if it cannot be read. */
  readonly filters?: readonly string[];
}

/** Reads what the pipeline of an import defers and allows; the default for other runs, and if it cannot be read. */
export async function readPipelineNextSteps({
  file,
  kind,
}: Pick<RunRecord, 'file' | 'kind'>): Promise<PipelineNextSteps> {
  if (kind !== 'import') return unknownPipeline;
  try {
    const { loadPipelineOfKind: loadKind } = await import('../../pipeline/index.ts');
    const { canCorrectRejects, listRowFilterOptions } = await import('../run/input.ts');
    const { deferred, source } = (await loadKind(file, 'import')).settings;
    const { format, path: _path, system: _system, ...options } = source;
    return {
      deferred,
      canCorrectRejects: canCorrectRejects({ format, options }),
      filters: listRowFilterOptions({ options }),
    };
  } catch {
    return unknownPipeline;
  }
}

const unknownPipeline: PipelineNextSteps = { deferred: [], canCorrectRejects: true };
