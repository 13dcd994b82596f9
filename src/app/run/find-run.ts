import {
  countKnownKeys,
  findRun,
  type JournalFile,
  journalExists,
  lastRunUnder,
  listRuns,
  memoryScope,
  openJournalFile,
  type RunRecord,
  workspacePlace,
} from '../../journal/index.ts';
import { commandLine } from '../../model/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { shownWorkDir } from './work-dir.ts';

/** The keys that earlier imports remember under a name. */
export interface RememberedKeys {
  /** The newest of these imports, and when it began (ms). */
  readonly run: string;
  readonly at: number;
  readonly keys: number;
}

/** A run to go on with, and what the journal remembers its workspace by. */
export interface FoundRun {
  readonly run: RunRecord;
  readonly place: string | undefined;
}

/** How many runs are looked through for one that can be gone on with. */
const lately = 1_000;

/** How many runs an error names. */
const named = 3;

/** Opens the journal of a work dir that has one, for as long as `look` takes. */
export function withJournal<T>(workDir: string, look: (file: JournalFile) => T): T {
  const file = openJournal(workDir);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** The same for what takes its time. */
export async function withJournalOpen<T>(
  workDir: string,
  look: (file: JournalFile) => Promise<T>,
): Promise<T> {
  const file = openJournal(workDir);
  try {
    return await look(file);
  } finally {
    file.close();
  }
}

/** The source keys that imports of a work dir remember under a name, and the newest of these imports. */
export function rememberedKeys(workDir: string, name: string): RememberedKeys | undefined {
  if (!journalExists(workDir)) return undefined;
  return withJournal(workDir, (file) => {
    const last = lastRunUnder(file, name, undefined);
    const keys = last === undefined ? 0 : countKnownKeys(file, memoryScope(last));
    return last === undefined || keys === 0 ? undefined : { run: last.id, at: last.startedAt, keys };
  });
}

function openJournal(workDir: string): JournalFile {
  if (journalExists(workDir)) return openJournalFile(workDir);
  throw noRuns(workDir, '\nor choose the work dir of the run with --work-dir.');
}

/** The named run, or the latest. */
export function findRunOrLatest(file: JournalFile, workDir: string, id: string | undefined): RunRecord {
  if (id !== undefined) return namedRun(file, workDir, id);
  const run = listRuns(file, 1)[0];
  if (run !== undefined) return run;
  throw noRuns(workDir);
}

export function noRuns(workDir: string, otherwise = ''): FatalError {
  const start = commandLine(['import', 'PIPELINE'], { workDir: shownWorkDir(workDir) });
  return new FatalError('usage', `No runs found in ${workDir}.`, {
    next: `Start with: ${start}${otherwise}`,
  });
}

/** The named run; the error where there is none names the latest. */
export function namedRun(file: JournalFile, workDir: string, id: string): RunRecord {
  const run = findRun(file, id);
  if (run !== undefined) return run;
  const latest = listRuns(file, named).map((each) => each.id);
  const instead = latest.length === 0 ? '' : ` The latest: ${latest.join(', ')}.`;
  throw listed(`No run "${id}" found.${instead}`, workDir);
}

/** The latest runs, newest first. */
export function latestRuns(file: JournalFile): readonly RunRecord[] {
  return listRuns(file, lately);
}

/** With what the journal remembers of its workspace. */
export function found(file: JournalFile, run: RunRecord): FoundRun {
  return { run, place: workspacePlace(file, run.workspace) };
}

/** An error that points at the list of runs. */
export function listed(message: string, workDir: string): FatalError {
  return new FatalError('usage', message, {
    next: `To list the runs: ${commandLine(['runs'], { workDir: shownWorkDir(workDir) })}`,
  });
}

/** Throws a FatalError (usage) for a run whose rows and files were removed: nothing is left to work with. */
export function assertNotPruned({ id, pruned }: RunRecord, workDir: string): void {
  if (pruned === null) return;
  const day = new Date(pruned.at).toISOString().slice(0, 10);
  throw listed(`run ${id} was pruned on ${day}: its rows and before-images were removed.`, workDir);
}
