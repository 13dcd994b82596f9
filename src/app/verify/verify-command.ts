import { existsSync, statSync } from 'node:fs';
import type { JournalDatabase, RunRecord } from '../../journal/index.ts';
import { hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { refreshImportReport } from '../import/import-run.ts';
import type { CommandCallbacks } from '../run/caller.ts';
import {
  assertNotPruned,
  createErrorWithRunsHint,
  getRunById,
  getRunOrLatest,
  listLatestRuns,
  withJournal,
} from '../run/find-run.ts';
import type { CommandContext } from '../run/target.ts';
import { createErrorRethrower } from '../run/terminal/next-hint.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { checkExportFolder, isExportFolder } from './folder.ts';
import { renderFolderVerification, toFolderVerification } from './report/folder-verification.ts';
import { renderVerification } from './report/verification-text.ts';
import { verifyExportAgainstWorkspace } from './verify-export-run.ts';
import { verifyRunAndWriteFiles } from './verify-run.ts';

interface VerifyFlags extends CommandContext {
  readonly run: string | undefined;
  readonly all: boolean;
  readonly sample: string | undefined;
  readonly online: boolean;
}

/** The number of contacts between two progress notes. */
const everyContacts = 10_000;

/** Verifies an import or the folder of an export, and shows the result; returns the exit code: 3 for differences. */
export async function runVerifyCommand(flags: VerifyFlags, screen: Screen): Promise<number> {
  const { workDir, all } = flags;
  if (flags.run !== undefined && isExportFolder(flags.run)) {
    return await runVerifyFolder(flags.run, flags, screen);
  }
  if (flags.run !== undefined && isPath(flags.run)) throw notAnExport(flags.run);
  if (flags.online) {
    throw new FatalError('usage', '--online is for the folder of an export.', {
      next: 'An import is always compared with its workspace: leave out --online.',
    });
  }
  const sample = shareOf(flags.sample);
  const run = withJournal(workDir, (file) => findImport(file, workDir, flags.run));
  if (!all) assertNotPruned(run, workDir);
  const words = [
    ...['verify', run.id],
    ...(all ? ['--all'] : []),
    ...(flags.sample === undefined ? [] : ['--sample', flags.sample]),
  ];
  const rethrow = createErrorRethrower({ ...flags, pipelineFile: run.file }, words);
  const verification = await verifyRunAndWriteFiles(
    { run: run.id, all, sample, progress: saying(screen) },
    flags,
    callerOf(screen),
    refreshImportReport,
  ).catch(rethrow);
  screen.result(() => renderVerification(verification, { colour: screen.colour }), verification);
  return verification.exitCode;
}

/** True if an argument is a path and not the id of a run: it has a slash or a backslash, or names a file. */
function isPath(word: string): boolean {
  return /[\\/]/.test(word) || (existsSync(word) && statSync(word).isFile());
}

function notAnExport(path: string): FatalError {
  const what = existsSync(path)
    ? `${path} is not the folder of an export: it has no manifest.json.`
    : `There is no folder ${path}${formatDidYouMeanPath(path, 'folders') || '.'}`;
  return new FatalError('usage', what, {
    place: { file: path },
    next: hint`Name a run, as ${toCommand('runs')} lists it, or the folder of an export.`,
  });
}

function callerOf(screen: Screen): CommandCallbacks {
  return { note: (text) => screen.note(text), warn: printWarning, stoppable: abortOnStopSignals };
}

/** Creates a callback that prints the number of contacts read, once every 10,000. */
function saying(screen: Screen): (read: number) => void {
  let next = everyContacts;
  return (read) => {
    if (read < next) return;
    next = read + everyContacts;
    screen.note(`${read.toLocaleString('en-US')} contacts read …`);
  };
}

async function runVerifyFolder(folder: string, flags: VerifyFlags, screen: Screen): Promise<number> {
  if (flags.all || flags.sample !== undefined) {
    throw new FatalError('usage', `${flags.all ? '--all is' : '--sample is'} for an import.`, {
      next: 'The folder of an export is always verified whole: leave the option out.',
    });
  }
  const verification = flags.online
    ? await verifyExportAgainstWorkspace(folder, flags, { ...callerOf(screen), progress: saying(screen) })
    : toFolderVerification(await checkExportFolder(folder));
  screen.result(() => renderFolderVerification(verification, { colour: screen.colour }), verification);
  return verification.exitCode;
}

function findImport(file: JournalDatabase, workDir: string, id: string | undefined): RunRecord {
  if (id === undefined) {
    getRunOrLatest(file, workDir, undefined);
    const run = listLatestRuns(file).find(({ kind }) => kind !== 'export');
    if (run !== undefined) return run;
    throw createErrorWithRunsHint('No import found: there is nothing to verify.', workDir);
  }
  const run = getRunById(file, workDir, id);
  if (run.kind !== 'export') return run;
  throw new FatalError('usage', `run ${run.id} is an export: it wrote nothing into the workspace.`, {
    next: hint`To check its files: ${toCommand('verify', run.folder ?? 'FOLDER')}`,
  });
}

/** Parses `5%` as 0.05; returns undefined for 100% or without a text; throws a FatalError (usage) for other texts. */
function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits] = /^(\d+(?:\.\d+)?)\s?%$/.exec(text.trim()) ?? [];
  const percent = Number(digits);
  if (percent > 0 && percent <= 100) return percent === 100 ? undefined : percent / 100;
  throw new FatalError(
    'usage',
    `--sample takes a share above 0% and up to 100%, not ${JSON.stringify(text)}.`,
    {
      next: 'For example: --sample 5%',
    },
  );
}
