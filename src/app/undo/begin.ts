import {
  beginRun,
  findRunById,
  findWorkspacePlace,
  hasUnrecordedEarlierValues,
  type JournalDatabase,
  listUndos,
  markRunRunning,
  type RunRecord,
  type UndoSelection,
} from '../../journal/index.ts';
import { type CommandFactory, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';

/** The run to undo, the target workspace, and how to format commands. */
export interface UndoRequestBase {
  readonly undo: UndoSelection;
  /** The place of the target workspace, by which the journal knows it. */
  readonly place: string;
  /** The value of --workspace that opens the target again: `sandbox` or the base URL. */
  readonly target: string;
  readonly command: CommandFactory;
}

/**
 * Returns the run to undo; throws a FatalError (usage) if it is an export, wrote into another workspace, or the journal
 * lacks the values that it replaced.
 */
export function getRunToUndo(file: JournalDatabase, { undo, place, command }: UndoRequestBase): RunRecord {
  const run = findRunById(file, undo.run);
  if (run === undefined) throw new Error(`run ${undo.run} is not in the journal`);
  const { id } = run;
  if (run.kind === 'export') {
    throw new FatalError('usage', `run ${id} is an export: it changed nothing in the workspace.`, {
      next: hint`To list the runs: ${command('runs')}`,
    });
  }
  const wroteInto = findWorkspacePlace(file, run.workspace);
  if (wroteInto !== undefined && wroteInto !== place) {
    throw new FatalError('usage', `run ${id} wrote into ${wroteInto}, not into ${place}.`, {
      next: hint`To undo it there: ${command('undo', id)}`,
    });
  }
  if (hasUnrecordedEarlierValues(file, run.number)) {
    throw new FatalError(
      'usage',
      `run ${id} cannot be undone: the journal does not have the values that it replaced. An older version wrote it, or they were pruned.`,
      { next: hint`What it wrote, contact by contact: ${command('verify', id)}` },
    );
  }
  return run;
}

/** Returns the latest undo of a run if it is unfinished, otherwise undefined. */
export function findUnfinishedUndo(file: JournalDatabase, run: Pick<RunRecord, 'id'>): RunRecord | undefined {
  const [last] = listUndos(file, run);
  return last === undefined || last.state === 'finished' ? undefined : last;
}

/** Continues the unfinished undo of the run, or begins one. */
export function continueOrBeginUndo(
  file: JournalDatabase,
  run: RunRecord,
  { undo, target }: UndoRequestBase,
  clock: Clock,
): { readonly run: RunRecord; readonly continued: boolean } {
  const last = findUnfinishedUndo(file, run);
  if (last !== undefined) return { run: markRunRunning(file, last), continued: true };
  const { pipeline, file: path, workspace, mapping, memory, system, input, inputName, source } = run;
  const of = { pipeline, file: path, workspace, mapping, memory, system, input, inputName, source };
  const begun = beginRun(
    file,
    { ...of, kind: 'undo', target, items: 0, selection: { kind: 'all' }, full: false, undo },
    clock,
  );
  return { run: begun, continued: false };
}
