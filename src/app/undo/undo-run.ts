import { join } from 'node:path';
import { command } from '../../model/command.ts';
import type { LoadedPipeline } from '../../pipeline/index.ts';
import { highestConcurrency } from '../../workspace/index.ts';
import type { Caller, ClientEvent } from '../run/caller.ts';
import { formatCommandLine, nextStepText } from '../run/command-line.ts';
import type { RunEvent } from '../run/events.ts';
import { type PipelineRun, type RunEnd, type RunEnvironment, withWorkspaces } from '../run/run-pipeline.ts';
import type { CommandSite } from '../run/target.ts';
import { previewUndo, type UndoPreview } from './preview.ts';
import { type UndoSummary, writeUndoFiles } from './report/undo-summary.ts';
import { runUndo, type UndoRequest } from './undo.ts';

/** The options of an undo. */
export type UndoJob = UndoRequest['undo'];

/** The summary of an undo, and the command to type next. */
export interface UndoReport {
  readonly run: UndoSummary;
  readonly next: string | undefined;
}

/** Returns the options of an undo with a function that formats commands. */
export function undoRun(
  pipeline: LoadedPipeline,
  job: UndoJob,
  site: CommandSite,
): PipelineRun<RunEvent, RunEnd, UndoReport> {
  const concurrency = highestConcurrency(pipeline.import.limits.concurrency);
  const limits = { ...pipeline.import.limits, concurrency };
  return {
    kind: 'undo',
    pipeline: pipeline.pipeline,
    settings: pipeline.import,
    start: (outside) => runUndo({ ...outside, undo: job, command, limits }),
    async report({ file, run, error }, scrub) {
      const runDir = join(site.workDir, 'runs', run.id);
      const summary = await writeUndoFiles({ file, run, runDir, scrub });
      const { invocation } = site;
      const resume = formatCommandLine(['resume', run.id], {}, invocation);
      return {
        run: summary,
        next: (error && nextStepText(error, invocation)) ?? (run.state === 'finished' ? undefined : resume),
      };
    },
  };
}

/** Opens the workspace of a site, for reading only, and returns the preview of an undo. */
export async function previewUndoAt(
  pipeline: LoadedPipeline,
  job: UndoJob,
  site: CommandSite,
  caller: Caller & { progress(read: number): void; listen(event: RunEvent | ClientEvent): void },
  sample: number,
): Promise<UndoPreview> {
  const concurrency = highestConcurrency(pipeline.import.limits.concurrency);
  const run = { settings: pipeline.import };
  return await withWorkspaces<RunEvent, UndoPreview>(run, site, caller, async ({ open }) => {
    const outside: RunEnvironment<RunEvent> = open((event) => caller.listen(event));
    const progress = (read: number) => caller.progress(read);
    const asked = { undo: job, command, concurrency, sample, progress };
    return await previewUndo({ ...outside, ...asked }).finally(() => outside.workspace.close(0));
  });
}
