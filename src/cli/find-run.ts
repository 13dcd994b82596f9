import {
  findRun,
  type JournalFile,
  journalExists,
  journalPath,
  lastRunOf,
  listRuns,
  openJournalFile,
  type RunRecord,
  workspacePlace,
} from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { commandLine } from '../report/next-steps.ts';
import { shownWorkDir } from './work-dir.ts';

/** Opens the journal of a work dir that has one, for as long as `look` takes. */
export function withJournal<T>(workDir: string, look: (file: JournalFile) => T): T {
  if (!journalExists(workDir)) {
    throw new FatalError('usage', 'there is no journal here: nothing was run with this work dir yet.', {
      place: { file: journalPath(workDir) },
      next: `Begin with: ${commandLine(['import', 'PIPELINE'], { workDir: shownWorkDir(workDir) })}\nor name the work dir of the run with --work-dir.`,
    });
  }
  const file = openJournalFile(workDir);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** The named run, or the latest. */
export function findRunOrLatest(file: JournalFile, workDir: string, id: string | undefined): RunRecord {
  const run = id === undefined ? listRuns(file, 1)[0] : findRun(file, id);
  if (run !== undefined) return run;
  if (id !== undefined) throw listed(`there is no run "${id}".`, workDir);
  throw new FatalError('usage', 'there is no run yet.', {
    next: `Begin with: ${commandLine(['import', 'PIPELINE'], { workDir: shownWorkDir(workDir) })}`,
  });
}

/** A run to be continued, and what the journal remembers its workspace by. */
export interface Unfinished {
  readonly run: RunRecord;
  readonly place: string | undefined;
}

/** How many runs are looked through for one that is not finished. */
const lately = 1_000;

/** The run that a resume continues: the named one, or the latest that is not finished and was not begun anew. */
export function findUnfinished(workDir: string, id: string | undefined): Unfinished {
  return withJournal(workDir, (file) => {
    const run = id === undefined ? latest(file, workDir) : named(file, workDir, id);
    return { run, place: workspacePlace(file, run.workspace) };
  });
}

function latest(file: JournalFile, workDir: string): RunRecord {
  const run = listRuns(file, lately).find((each) => each.state !== 'finished' && isNewest(file, each));
  if (run === undefined) throw listed('every run is finished; there is nothing to continue.', workDir);
  return run;
}

function named(file: JournalFile, workDir: string, id: string): RunRecord {
  const run = findRunOrLatest(file, workDir, id);
  const context = { workspace: run.target, workDir: shownWorkDir(workDir) };
  if (run.state === 'finished') {
    throw new FatalError('usage', `run ${run.id} is finished; there is nothing to continue.`, {
      next: `To send what differs now: ${commandLine(['import', run.file], context)}`,
    });
  }
  const newest = newestLike(file, run);
  if (newest.id !== run.id) {
    const goOn =
      newest.state === 'finished'
        ? `That one is finished. To send what differs now: ${commandLine(['import', run.file], context)}`
        : `Continue that one: ${commandLine(['resume', newest.id], { workDir: context.workDir })}`;
    throw new FatalError('usage', `run ${run.id} was begun anew as ${newest.id}.`, { next: goOn });
  }
  return run;
}

/** Only the newest run of a pipeline on a workspace goes on: what came later has seen the rows again. */
function isNewest(file: JournalFile, run: RunRecord): boolean {
  return newestLike(file, run).id === run.id;
}

function newestLike(file: JournalFile, run: RunRecord): RunRecord {
  return lastRunOf(file, run.pipeline, run.kind, run.workspace) ?? run;
}

function listed(message: string, workDir: string): FatalError {
  return new FatalError('usage', message, {
    next: `See them with: ${commandLine(['runs'], { workDir: shownWorkDir(workDir) })}`,
  });
}
