import { join } from 'node:path';
import { countRows, lastRunOf } from '../journal/index.ts';
import { listUses } from '../mapping/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { scrubber, startLog, writeRunFiles } from '../report/index.ts';
import { type CommandContext, commandLine, nextSteps } from '../report/next-steps.ts';
import type { RunReport } from '../report/run-files.ts';
import { selectionCommand } from '../report/words.ts';
import type { Listener, RunEvent } from '../runs/events.ts';
import { type ImportEnd, runImport } from '../runs/import/import.ts';
import type { ImportRequest } from '../runs/import/request.ts';
import type { LoadedPipeline } from '../runs/pipeline/index.ts';
import { systemClock, type WorkspaceEvent } from '../workspace/index.ts';
import { atTarget, type Site } from './at-target.ts';
import { type Caller, type CommandEnd, type RunView, runEvent } from './caller.ts';
import { openClient } from './open-client.ts';
import type { PipelineSource } from './open-source.ts';
import { announce, announceTarget, type Target } from './target.ts';
import { shownWorkDir } from './work-dir.ts';

/** An import as somebody asked for it. */
export interface ImportJob extends Site {
  readonly pipeline: LoadedPipeline;
  /** As it was named. */
  readonly pipelineFile: string;
  /** `sandbox` or a base URL, where it was named. */
  readonly workspace: string | undefined;
  /** The workspace that is read, where the input is one. */
  readonly source: PipelineSource | undefined;
  readonly fresh: boolean;
  readonly limit: number | undefined;
  readonly choice: Pick<ImportRequest, 'selection' | 'approvals' | 'full'>;
  /** Refuses, by throwing, a workspace that is not the one it should be. */
  accept?(target: Target): void;
}

/** What an import came to, with the files of its run in place. */
export interface ImportResult extends CommandEnd, Pick<RunReport, 'problems'> {
  readonly run: RunReport['summary'];
  /** Steps that are still deferred for these rows. */
  readonly deferred: readonly string[];
  /** The mapping reads lists of a row, which no CSV can hold. */
  readonly readsLists: boolean;
}

/**
 * Imports with the real clock and the real network, keeps the run's log and writes its files. Throws where no run could
 * begin; what stopped one that had begun is part of the result.
 */
export async function importOnce(
  job: ImportJob,
  caller: Caller,
  view: RunView<RunEvent>,
): Promise<ImportResult> {
  return await atTarget(job, caller, async (target, stop) => {
    job.accept?.(target);
    if (job.source?.baseUrl !== undefined) announce('Source', job.source.baseUrl, caller);
    announceTarget(target, caller);
    const scrub = scrubber([...target.secrets, ...(job.source?.secrets ?? [])]);
    const runsDir = join(job.workDir, 'runs');
    const log = startLog({ runsDir, clock: systemClock, scrub, problem: (text) => caller.note(text) });
    try {
      const listen: Listener = (event) => {
        view.listen(event);
        log.listen(event);
      };
      const end = await runToItsEnd(job, target, stop, listen);
      const { exitCode, error } = end;
      if (error !== undefined) log.failed(error);
      view.ended(end.run, error);
      const steps = job.pipeline.import.deferred;
      const readsLists = listUses(job.pipeline.import.mapping.mapping).length > 0;
      const toWrite = { workDir: job.workDir, deferred: steps, readsLists, scrub };
      const { summary, problems, deferred } = await writeImportFiles(end, toWrite);
      log.ended(summary);
      const [next] = nextSteps(summary, contextOf(job)).flatMap(({ command }) => command ?? []);
      return { exitCode, error, next, run: summary, problems, deferred, readsLists };
    } finally {
      await log.close();
    }
  });
}

async function runToItsEnd(
  { pipeline, source, ...job }: ImportJob,
  target: Target,
  stop: AbortController,
  listen: Listener,
): Promise<ImportEnd> {
  const hear = (event: WorkspaceEvent) => listen(runEvent(event));
  const workspace = openClient(target, pipeline.import.limits, stop.signal, hear);
  try {
    return await runImport({
      pipeline,
      workspace,
      place: target.place,
      target: target.name,
      workDir: job.workDir,
      liveSource: source?.live(stop.signal, hear),
      fresh: job.fresh,
      limit: job.limit ?? Number.POSITIVE_INFINITY,
      ...job.choice,
      command: (words) => typed(words, { ...job, pipeline }),
      clock: systemClock,
      listen,
      stop,
    });
  } finally {
    await workspace.close(0);
  }
}

/** What a command line about this import has to name. */
function contextOf({
  pipeline,
  pipelineFile,
  workspace,
  workDir,
}: Pick<ImportJob, 'pipeline' | 'pipelineFile' | 'workspace' | 'workDir'>): CommandContext {
  return { pipelineFile, workspace, source: pipeline.source, workDir: shownWorkDir(workDir) };
}

/** A command as it is typed here; an import stands for whatever takes up the rows that this one is about. */
function typed(
  [verb = '', ...rest]: readonly string[],
  job: Pick<ImportJob, 'choice' | 'pipeline' | 'pipelineFile' | 'workspace' | 'workDir'>,
): string {
  const [file = '', ...more] = rest;
  const words =
    verb === 'import' ? [...selectionCommand(job.choice.selection, file), ...more] : [verb, ...rest];
  return commandLine(words, contextOf(job));
}

/** Writes the files of a run that has ended, closes its journal, and says which steps of it are still deferred. */
async function writeImportFiles(
  end: ImportEnd,
  options: {
    readonly workDir: string;
    /** Steps that the pipeline defers. */
    readonly deferred: readonly string[];
    readonly readsLists: boolean;
    readonly scrub: (text: string) => string;
  },
): Promise<RunReport & { readonly deferred: readonly string[] }> {
  const { file, run } = end;
  const workDir = shownWorkDir(options.workDir);
  try {
    const runDir = join(options.workDir, 'runs', run.id);
    const deferred = stillDeferred(end, options.deferred);
    const { scrub, readsLists } = options;
    const report = await writeRunFiles({ file, run, runDir, scrub, deferred, readsLists, workDir });
    return { ...report, deferred };
  } catch (trouble) {
    if (trouble instanceof FatalError) throw trouble;
    const detail = trouble instanceof Error ? trouble.message : String(trouble);
    throw new FatalError(
      'unexpected',
      `the files of run ${run.id} could not be written (${detail}); what was done is in the journal.`,
      { next: commandLine(['status', run.id], { workDir }), cause: trouble },
    );
  } finally {
    file.close();
  }
}

/** The steps that are still deferred for the rows of a run, as far as the journal can tell. */
function stillDeferred({ file, run }: ImportEnd, deferred: readonly string[]): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'deferred') return [];
  const { created, updated, merged, unchanged } = countRows(file, run);
  if (created + updated + merged > 0) return deferred;
  const caughtUp = lastRunOf(file, { ...run, selection: { kind: 'deferred' } });
  return unchanged > 0 && caughtUp?.state !== 'finished' ? deferred : [];
}
