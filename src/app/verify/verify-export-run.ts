import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findRunById,
  findWorkspacePlace,
  hasJournal,
  type JournalDatabase,
  openJournalDatabase,
  type RunRecord,
} from '../../journal/index.ts';
import { toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { loadExportPipeline } from '../../pipeline/index.ts';
import { formatCsvList, iteratePagesAsync } from '../../report/csv-list.ts';
import { removeStaleFile, writeFileAtomically } from '../../report/whole-file.ts';
import { packageVersion } from '../../storage/package.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import { compareExportWithWorkspace } from '../export/compare/against-workspace.ts';
import type { RecordComparison, RecordDifference } from '../export/compare/compare-records.ts';
import type { CommandCallbacks } from '../run/caller.ts';
import type { ExportEvent } from '../run/events.ts';
import { withWorkspaces } from '../run/run-pipeline.ts';
import { assertWorkspaceOfRun, type CommandContext } from '../run/target.ts';
import { checkExportFolder } from './folder.ts';
import { type FolderVerification, toFolderVerification } from './report/folder-verification.ts';

/** The columns of the verification.csv of an export. */
const differenceColumns = ['file', 'key', 'verdict', 'field', 'exported', 'found'] as const;

const name = 'verification.csv';

/** Writes verification.csv of an export into the folder of the run; returns its path, or null without differences. */
async function writeExportDifferences(runDir: string, comparison: RecordComparison): Promise<string | null> {
  const path = join(runDir, name);
  const [first] = comparison.after(undefined, 1);
  if (first === undefined) {
    await removeStaleFile(path);
    return null;
  }
  const pages = iteratePagesAsync<RecordDifference>((after, limit) => comparison.after(after, limit));
  await writeFileAtomically(path, formatCsvList(differenceColumns, pages, cells));
  return path;
}

function cells({ file, key, verdict, field, exported, found }: RecordDifference): readonly string[] {
  return [file, key, verdict, field ?? '', exported ?? '', found ?? ''];
}

/**
 * Checks the files of an export, and compares the intact ones with the current contents of its workspace, which is only
 * read.
 */
export async function verifyExportAgainstWorkspace(
  folder: string,
  site: CommandContext,
  caller: CommandCallbacks & { progress(contacts: number): void },
): Promise<FolderVerification> {
  const verified = await checkExportFolder(folder);
  const { run, place } = exportOf(verified.run, site.workDir);
  const pipeline = await loadExportPipeline(run.file);
  assertUnchanged(run, pipeline);
  const online = toCommand('verify', folder, '--online');
  const hear = (event: ExportEvent) => {
    if (event.kind === 'fetched') caller.progress(event.contacts);
  };
  const accept = (target: Parameters<typeof assertWorkspaceOfRun>[2]) =>
    assertWorkspaceOfRun(run, place, target, online);
  const named = { ...site, workspace: site.workspace ?? run.target };
  return await withWorkspaces<ExportEvent, FolderVerification>(
    { settings: pipeline.export, accept },
    named,
    caller,
    async ({ open }) => {
      const scratch = await makeTemporarySpoolFolder(join(site.workDir, 'spool'));
      const outside = open(hear);
      try {
        const request = { ...outside, pipeline, version: packageVersion, command: toCommand, ...asItIs };
        const intact = new Set(
          verified.files.filter(({ verdict }) => verdict === 'matched').map(({ name }) => name),
        );
        const compared = await compareExportWithWorkspace(request, folder, scratch, (name) =>
          intact.has(name),
        );
        try {
          const runDir = join(site.workDir, 'runs', run.id);
          const differences = await writeExportDifferences(runDir, compared.comparison);
          return toFolderVerification(verified, { ...compared, workspace: outside.target, differences });
        } finally {
          compared.comparison.file.close();
        }
      } finally {
        await outside.workspace.close(0);
        await rm(scratch, { recursive: true, force: true });
      }
    },
  );
}

const asItIs = { fresh: true, resumed: false, full: true, accept: true } as const;

/**
 * Returns the run of an export, and the place of its workspace; throws a FatalError (usage) if the work dir does not
 * know it.
 */
function exportOf(
  id: string,
  workDir: string,
): { readonly run: RunRecord; readonly place: string | undefined } {
  const found = hasJournal(workDir) ? inJournal(workDir, (file) => lookUp(file, id)) : undefined;
  if (found !== undefined) return found;
  throw new FatalError('usage', `The work dir ${workDir} does not know the export ${id}.`, {
    next: 'Name the work dir that it was made with: --work-dir DIR. Without --online the files are checked anywhere.',
  });
}

function lookUp(file: JournalDatabase, id: string) {
  const run = findRunById(file, id);
  return run && { run, place: findWorkspacePlace(file, run.workspace) };
}

function inJournal<T>(workDir: string, look: (file: JournalDatabase) => T): T {
  const file = openJournalDatabase(workDir);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** Throws a FatalError (usage) if the pipeline has changed since the export: its result would not be comparable. */
function assertUnchanged(run: RunRecord, pipeline: LoadedExportPipeline): void {
  if (run.input === pipeline.fingerprint) return;
  throw new FatalError('usage', `The pipeline has changed since the export ${run.id} was made with it.`, {
    place: { file: pipeline.file },
    next: 'Restore the pipeline as it was then, or verify an export that was made with it as it is now.',
  });
}
