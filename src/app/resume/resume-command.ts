import { existsSync } from 'node:fs';
import { hasUndo, type JournalDatabase, listUndos, type RunRecord } from '../../journal/index.ts';
import { commandForTarget, hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { loadImportPipeline } from '../../pipeline/index.ts';
import { buildCommandWordsForRun } from '../../report/words.ts';
import { runExportCommand } from '../export/export-command.ts';
import { runImportCommand } from '../import/import-command.ts';
import { readRowSelectionOfRun } from '../import/row-choice.ts';
import {
  createErrorWithRunsHint,
  getRunById,
  listLatestRuns,
  type RunWithWorkspace,
  toRunWithWorkspace,
  withJournal,
} from '../run/find-run.ts';
import type { CommandContext } from '../run/target.ts';
import { createContinuationPrecondition } from '../run/terminal/precondition.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { runConfirmedUndo } from '../undo/undo-command.ts';

interface ResumeFlags extends CommandContext {
  readonly run: string | undefined;
  readonly yes: boolean;
}

/** Continues the named run, or the latest unfinished one; returns the exit code. */
export async function runResumeCommand(flags: ResumeFlags, screen: Screen): Promise<number> {
  const { workDir, metrics, invocation } = flags;
  const unfinished = findUnfinished(workDir, flags.run);
  const { run } = unfinished;
  const precondition = createContinuationPrecondition(unfinished, ['resume', run.id]);
  const workspace = flags.workspace ?? run.target;
  const site = { pipelineFile: run.file, fresh: false, workspace, workDir, metrics, invocation };
  if (run.undo !== undefined) {
    const pipeline = await loadImportPipeline(run.file, run.source);
    return await runConfirmedUndo(pipeline, run.undo, { workDir, workspace, metrics, invocation }, screen);
  }
  if (run.kind === 'export') {
    const compact = run.selection.kind === 'compact';
    const job = { ...site, full: false, accept: false, resumed: true, compact };
    return await runExportCommand(job, screen, precondition);
  }
  const source = await findInputOfRun(run);
  const job = { ...site, ...(await readRowSelectionOfRun(run)), source, yes: flags.yes };
  return await runImportCommand(job, screen, precondition);
}

/** Returns the file that an import began with, if its pipeline reads another one by now; else the run's `--source`. */
async function findInputOfRun({
  file,
  source,
  selection,
  inputName,
}: RunRecord): Promise<string | undefined> {
  if (source !== undefined || (selection.kind === 'retry' && selection.from !== undefined)) return source;
  const { path } = (await loadImportPipeline(file)).import.source;
  const isOther = path !== null && path !== '-' && !`${inputName}/`.startsWith(`${path}/`);
  return isOther && existsSync(inputName) ? inputName : undefined;
}

/**
 * Returns the named run, or the latest one that is unfinished and was neither undone nor started over; throws a
 * FatalError if there is nothing to continue.
 */
function findUnfinished(workDir: string, id: string | undefined): RunWithWorkspace {
  return withJournal(workDir, (file) =>
    toRunWithWorkspace(file, id === undefined ? latest(file, workDir) : named(file, workDir, id)),
  );
}

function latest(file: JournalDatabase, workDir: string): RunRecord {
  const newest = new Set<string>();
  for (const run of listLatestRuns(file)) {
    const about = whatItIsAbout(run);
    if (newest.has(about)) continue;
    newest.add(about);
    if (run.state !== 'finished' && !hasUndo(file, run)) return run;
  }
  throw createErrorWithRunsHint('every run is finished; there is nothing to continue.', workDir);
}

function named(file: JournalDatabase, workDir: string, id: string): RunRecord {
  const run = getRunById(file, workDir, id);
  const context = { workspace: run.target, source: run.source };
  const startOver = commandForTarget(context, ...buildCommandWordsForRun(run));
  if (run.state === 'finished') {
    throw new FatalError('usage', `run ${run.id} is finished; there is nothing to continue.`, {
      next: hint`${againWords(run)}: ${startOver}`,
    });
  }
  const [undo] = listUndos(file, run);
  if (undo !== undefined) {
    throw new FatalError('usage', `run ${run.id} was undone by ${undo.id}: it is not continued.`, {
      next: hint`To import again: ${startOver}`,
    });
  }
  const about = whatItIsAbout(run);
  const newest = listLatestRuns(file).find((each) => whatItIsAbout(each) === about) ?? run;
  if (newest.id !== run.id) {
    const goOn =
      newest.state === 'finished'
        ? hint`That one is finished. ${againWords(run)}: ${startOver}`
        : hint`Continue that one: ${toCommand('resume', newest.id)}`;
    throw new FatalError('usage', `run ${run.id} was started over as ${newest.id}.`, { next: goOn });
  }
  return run;
}

function againWords({ kind }: RunRecord): string {
  if (kind === 'undo') return 'To undo once more what is left';
  return kind === 'export' ? 'To export again' : 'To import what has changed since';
}

/**
 * Returns a key that is the same for runs that work on the same rows; of these runs, only the newest can be continued.
 */
function whatItIsAbout({ pipeline, kind, workspace, selection, undo }: RunRecord): string {
  const { kind: rows } = selection;
  const chosen = rows === 'approve' ? selection.file : rows === 'retry' ? selection.run : null;
  const of = undo?.run ?? chosen;
  return JSON.stringify([pipeline, kind, workspace, rows, of]);
}
