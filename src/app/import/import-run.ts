import { join } from 'node:path';
import { listPendingDeferredSteps } from '../../journal/index.ts';
import { commandForTarget } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { runFileNames } from '../../report/file-names.ts';
import { buildCommandWordsForSelection } from '../../report/words.ts';
import type { RunEvent, RunListener } from '../run/events.ts';
import { canCorrectRejects, listRowFilterOptions } from '../run/input.ts';
import { findSourceWorkspace } from '../run/open-source.ts';
import type { PipelineRun, RunEnd } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { toWorkDirArgument } from '../run/work-dir.ts';
import { runImport } from './import.ts';
import { listNextSteps } from './report/next-steps.ts';
import {
  createReportPagePreload,
  type RunFilesOptions,
  type RunFilesResult,
  refreshReport,
  writeListFile,
  writeRunFiles,
} from './report/run-files.ts';
import type { Summary } from './report/summary.ts';
import { formatUnjoinedCsv } from './report/table-uses.ts';
import type { ImportRequest } from './request.ts';

/** The options of one import, as a command or a program sets them. */
export interface ImportRunOptions
  extends Pick<ImportRequest, 'fresh' | 'selection' | 'approvals' | 'decisions' | 'full' | 'plan'> {
  /** The path as typed. */
  readonly pipelineFile: string;
  /** Imports without regard to the pipeline's guard. */
  readonly yes?: boolean | undefined;
  /** The most rows to import. */
  readonly limit?: number | undefined;
}

/** The result of an import, once the files of its run are written. */
export interface ImportResult extends Pick<RunFilesResult, 'problems'> {
  readonly run: Summary;
  readonly next: string | undefined;
  /** The pipeline's deferred steps, if some may still be due for rows of this run; empty for an unfinished run. */
  readonly deferred: readonly string[];
  /** False if a corrected rejects.csv cannot be retried, because it would lack lists of the rows. */
  readonly canCorrectRejects: boolean;
}

/**
 * Returns the part of an import's request that the pipeline and the options determine, and the context for its command
 * lines.
 */
export function buildImportRequest(
  pipeline: LoadedImportPipeline,
  {
    pipelineFile,
    limit = Number.POSITIVE_INFINITY,
    fresh,
    selection,
    full,
    plan,
    ...decided
  }: ImportRunOptions,
  site: CommandContext,
) {
  const { workspace, invocation } = site;
  const { source } = pipeline;
  const target = { workspace, source, workDir: toWorkDirArgument(site.workDir) };
  /**
   * Returns a command with the pipeline's path as typed; `import` is replaced by the command that selects the rows of
   * this run.
   */
  const command = (...words: readonly string[]) => {
    const typed = words.map((word) => (word === pipeline.file ? pipelineFile : word));
    const [verb, file = '', ...more] = typed;
    return commandForTarget(
      target,
      ...(verb === 'import' ? [...buildCommandWordsForSelection(selection, file), ...more] : typed),
    );
  };
  const { approvals, decisions } = decided;
  const byPeople = { ...(approvals && { approvals }), ...(decisions && { decisions }) };
  const listUnjoined: ImportRequest['listUnjoined'] = (runDir, pages) =>
    writeListFile(join(runDir, runFileNames.unjoined), formatUnjoinedCsv(pages), (text) => text);
  const asked = {
    pipeline,
    fresh,
    selection,
    ...byPeople,
    full,
    plan,
    limit,
    command,
    invocation,
    listUnjoined,
  };
  return { context: { pipelineFile, workspace, source, invocation }, asked };
}

/**
 * Returns the workspace that an import reads; undefined where its input is a file. Throws a FatalError (usage) if the
 * deferred steps are selected and the pipeline defers none.
 */
export function findImportSourceWorkspace(
  pipeline: LoadedImportPipeline,
  { selection }: ImportRunOptions,
  site: CommandContext,
) {
  if (selection.kind === 'deferred' && pipeline.import.deferred.length === 0)
    throw defersNothing(pipeline.file);
  return findSourceWorkspace(pipeline, site);
}

/** Returns an import as a pipeline run that does not check the pipeline's guard. */
export function createUnguardedImportRun(
  pipeline: LoadedImportPipeline,
  job: ImportRunOptions,
  site: CommandContext,
): PipelineRun<RunEvent, RunEnd, ImportResult> {
  const settings = pipeline.import;
  const { context, asked } = buildImportRequest(pipeline, job, site);
  return {
    kind: 'import',
    pipeline: pipeline.pipeline,
    settings,
    source: () => findImportSourceWorkspace(pipeline, job, site),
    start: (outside) => runImport({ ...outside, ...asked, listen: preloadingReportPage(outside.listen) }),
    async report(end, scrub) {
      const { run } = end;
      const files = runFilesOf(end, settings, site, scrub);
      const { deferred, canCorrectRejects } = files;
      const { summary, problems } = await writeRunFiles(files).catch((error: unknown) => {
        throw notWritten(error, run.id, toWorkDirArgument(site.workDir));
      });
      const [next] = listNextSteps(summary, context).flatMap((step) => step.command ?? []);
      return { run: summary, next, problems, deferred, canCorrectRejects };
    },
  };
}

/** Returns a listener that also loads the code of the report page, once requests are under way. */
export function preloadingReportPage(listen: RunListener): RunListener {
  const preload = createReportPagePreload();
  return (event) => {
    if (event.kind === 'underWay') preload();
    listen(event);
  };
}

/** Returns the options of `writeRunFiles` for a run. */
function runFilesOf(
  end: Pick<RunEnd, 'file' | 'run'>,
  { deferred, source }: LoadedImportPipeline['import'],
  { workDir, invocation }: CommandContext,
  scrub: (text: string) => string,
): RunFilesOptions & Pick<ImportResult, 'deferred' | 'canCorrectRejects'> {
  return {
    ...{ file: end.file, run: end.run, scrub },
    runDir: join(workDir, 'runs', end.run.id),
    deferred: listPendingDeferredSteps(end, deferred),
    canCorrectRejects: canCorrectRejects(source),
    filters: listRowFilterOptions(source),
    invocation,
  };
}

/** Writes the summary and the report page of a run again, from the journal. */
export async function refreshImportReport(...of: Parameters<typeof runFilesOf>): Promise<void> {
  await refreshReport(runFilesOf(...of));
}

function defersNothing(file: string): FatalError {
  return new FatalError('usage', 'this pipeline defers no steps: its key "deferred" is empty.', {
    place: { file },
    next: 'Leave out --deferred: a plain import runs all steps.',
  });
}

function notWritten(error: unknown, run: string, workDir: string | undefined): FatalError {
  if (error instanceof FatalError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FatalError(
    'unexpected',
    `the files of run ${run} could not be written (${detail}); what was done is in the journal.`,
    { next: commandForTarget({ workDir }, 'status', run), cause: error },
  );
}
