import {
  countKnownKeys,
  findLastRunByKeyNamespace,
  findRunById,
  findWorkspacePlace,
  hasJournal,
  type JournalDatabase,
  listRuns,
  openJournalDatabase,
  type RunRecord,
  toKnownKeyScope,
} from '../../journal/index.ts';
import { commandForTarget, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { toWorkDirArgument } from './work-dir.ts';

/** The number of source keys that earlier imports stored under a name, and the newest of these imports. */
export interface RememberedKeyStats {
  /** The newest of these imports. */
  readonly run: string;
  /** When that import began (ms since 1970). */
  readonly at: number;
  readonly keys: number;
}

/** A run, and the place of its workspace; `place` is undefined if the journal has none. */
export interface RunWithWorkspace {
  readonly run: RunRecord;
  readonly place: string | undefined;
}

/** The maximum number of runs that `listLatestRuns` returns. */
const lately = 1_000;

/** The number of runs that an error names. */
const named = 3;

/** Opens the journal of a work dir while `look` runs; throws a FatalError (usage) where there is none. */
export function withJournal<T>(workDir: string, look: (file: JournalDatabase) => T): T {
  const file = openJournal(workDir);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** Opens the journal like `withJournal`, while an asynchronous `look` runs. */
export async function withJournalAsync<T>(
  workDir: string,
  look: (file: JournalDatabase) => Promise<T>,
): Promise<T> {
  const file = openJournal(workDir);
  try {
    return await look(file);
  } finally {
    file.close();
  }
}

/**
 * Returns the newest import whose mapping or source system is named `name`, and the number of source keys in its scope;
 * undefined if there are none. Imports into the local workspace do not count.
 */
export function findRememberedKeyStats(workDir: string, name: string): RememberedKeyStats | undefined {
  if (!hasJournal(workDir)) return undefined;
  return withJournal(workDir, (file) => {
    const last = findLastRunByKeyNamespace(file, name, undefined);
    const keys = last === undefined ? 0 : countKnownKeys(file, toKnownKeyScope(last));
    return last === undefined || keys === 0 ? undefined : { run: last.id, at: last.startedAt, keys };
  });
}

function openJournal(workDir: string): JournalDatabase {
  if (hasJournal(workDir)) return openJournalDatabase(workDir);
  throw createNoRunsError(workDir, '\nor choose the work dir of the run with --work-dir.');
}

/**
 * Returns the run with this id, or the latest run if `id` is undefined; throws a FatalError (usage) if there is none.
 */
export function getRunOrLatest(file: JournalDatabase, workDir: string, id: string | undefined): RunRecord {
  if (id !== undefined) return getRunById(file, workDir, id);
  const run = listRuns(file, 1)[0];
  if (run !== undefined) return run;
  throw createNoRunsError(workDir);
}

/** Returns the error for a work dir without runs, with the command that starts one. */
export function createNoRunsError(workDir: string, otherwise = ''): FatalError {
  const start = commandForTarget({ workDir: toWorkDirArgument(workDir) }, 'import', 'PIPELINE');
  return new FatalError('usage', `No runs found in ${workDir}.`, {
    next: hint`Start with: ${start}${otherwise}`,
  });
}

/** Returns the run with this id. If there is none, throws a FatalError (usage) that lists the latest runs. */
export function getRunById(file: JournalDatabase, workDir: string, id: string): RunRecord {
  const run = findRunById(file, id);
  if (run !== undefined) return run;
  const latest = listRuns(file, named).map((each) => each.id);
  const instead = latest.length === 0 ? '' : ` The latest: ${latest.join(', ')}.`;
  throw createErrorWithRunsHint(`No run "${id}" found.${instead}`, workDir);
}

/** Returns the latest 1,000 runs, newest first. */
export function listLatestRuns(file: JournalDatabase): readonly RunRecord[] {
  return listRuns(file, lately);
}

/** Returns the run with the place of its workspace. */
export function toRunWithWorkspace(file: JournalDatabase, run: RunRecord): RunWithWorkspace {
  return { run, place: findWorkspacePlace(file, run.workspace) };
}

/** Returns a FatalError (usage) whose next command lists the runs. */
export function createErrorWithRunsHint(message: string, workDir: string): FatalError {
  return new FatalError('usage', message, {
    next: hint`To list the runs: ${commandForTarget({ workDir: toWorkDirArgument(workDir) }, 'runs')}`,
  });
}

/** Throws a FatalError (usage) for a run whose rows and files were removed. */
export function assertNotPruned({ id, pruned }: RunRecord, workDir: string): void {
  if (pruned === null) return;
  const day = new Date(pruned.at).toISOString().slice(0, 10);
  throw createErrorWithRunsHint(
    `run ${id} was pruned on ${day}: its rows and before-images were removed.`,
    workDir,
  );
}
