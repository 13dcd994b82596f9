import { toCommand } from '../../model/command.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { toMaxConcurrency } from '../../workspace/index.ts';
import type { ClientEvent, CommandCallbacks } from '../run/caller.ts';
import { formatCommandLine, formatErrorNextStep } from '../run/command-line.ts';
import type { RunEvent } from '../run/events.ts';
import { type PipelineRun, type RunEnd, type RunEnvironment, withWorkspaces } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { previewUndo, type UndoPreview } from './preview.ts';
import { type UndoSummary, writeUndoFiles } from './report/undo-summary.ts';
import { runUndo, type UndoRequest } from './undo.ts';

/** The options of an undo. */
export type UndoOptions = UndoRequest['undo'];

/** The summary of an undo, and the command to type next. */
export interface UndoResult {
  readonly run: UndoSummary;
  readonly next: string | undefined;
}

/** Returns an undo as a pipeline run, whose report is the summary of the undo and the next command. */
export function createUndoRun(
  pipeline: LoadedImportPipeline,
  job: UndoOptions,
  site: CommandContext,
): PipelineRun<RunEvent, RunEnd, UndoResult> {
  const concurrency = toMaxConcurrency(pipeline.import.limits.concurrency);
  const limits = { ...pipeline.import.limits, concurrency };
  return {
    kind: 'undo',
    pipeline: pipeline.pipeline,
    settings: pipeline.import,
    start: (outside) => runUndo({ ...outside, undo: job, command: toCommand, limits }),
    async report({ file, run, error }, scrub) {
      const summary = await writeUndoFiles({ file, run, workDir: site.workDir, scrub });
      const { invocation } = site;
      const resume = formatCommandLine(['resume', run.id], {}, invocation);
      return {
        run: summary,
        next:
          (error && formatErrorNextStep(error, invocation)) ??
          (run.state === 'finished' ? undefined : resume),
      };
    },
  };
}

/** Opens the workspace, reads it, and returns the preview of an undo; writes nothing into it. */
export async function previewUndoInWorkspace(
  pipeline: LoadedImportPipeline,
  job: UndoOptions,
  site: CommandContext,
  caller: CommandCallbacks & { progress(read: number): void; listen(event: RunEvent | ClientEvent): void },
  sample: number,
): Promise<UndoPreview> {
  const concurrency = toMaxConcurrency(pipeline.import.limits.concurrency);
  const run = { settings: pipeline.import };
  return await withWorkspaces<RunEvent, UndoPreview>(run, site, caller, async ({ open }) => {
    const outside: RunEnvironment<RunEvent> = open((event) => caller.listen(event));
    const progress = (read: number) => caller.progress(read);
    const asked = { undo: job, command: toCommand, concurrency, sample, progress };
    return await previewUndo({ ...outside, ...asked }).finally(() => outside.workspace.close(0));
  });
}
