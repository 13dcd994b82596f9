import { join } from 'node:path';
import { type ExportSummary, exportSummary, writeExportSummary } from '../report/export-summary.ts';
import { scrubber, startLog } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { ExportEvent, ExportListener } from '../runs/export/events.ts';
import { runCompaction, runExport } from '../runs/export/export.ts';
import { isKeptBack } from '../runs/export/guards.ts';
import type { ExportEnd } from '../runs/export/request.ts';
import type { LoadedExportPipeline } from '../runs/pipeline/export-settings.ts';
import { systemClock } from '../workspace/index.ts';
import { atTarget, type Site } from './at-target.ts';
import { type Caller, type CommandEnd, type RunView, runEvent } from './caller.ts';
import { openClient } from './open-client.ts';
import { announceTarget, type Target } from './target.ts';
import { version } from './version.ts';
import { shownWorkDir } from './work-dir.ts';

/** An export as somebody asked for it. */
export interface ExportJob extends Site {
  readonly pipeline: LoadedExportPipeline;
  /** `sandbox` or a base URL, where it was named. */
  readonly workspace: string | undefined;
  readonly fresh: boolean;
  readonly full: boolean;
  readonly compact: boolean;
  readonly resumed: boolean;
  readonly accept: boolean;
  /** Refuses, by throwing, a workspace that is not the one it should be. */
  acceptTarget?(target: Target): void;
}

/** What an export came to. */
export interface ExportResult extends CommandEnd {
  readonly run: ExportSummary;
  /** The command that continues with what was fetched; undefined where nothing of it is left. */
  readonly again: string | undefined;
}

/**
 * Exports with the real clock and the real network, and keeps the run's log and summary. Throws where no run could begin;
 * what stopped one that had begun is part of the result.
 */
export async function exportOnce(
  job: ExportJob,
  caller: Caller,
  view: RunView<ExportEvent>,
): Promise<ExportResult> {
  return await atTarget(job, caller, async (target, stop) => {
    job.acceptTarget?.(target);
    announceTarget(target, caller);
    const scrub = scrubber(target.secrets);
    const runsDir = join(job.workDir, 'runs');
    const log = startLog({ runsDir, clock: systemClock, scrub, problem: (text) => caller.note(text) });
    try {
      const listen: ExportListener = (event) => {
        view.listen(event);
        log.listen(event);
      };
      const end = await runToItsEnd(job, target, stop, listen);
      const { exitCode, error } = end;
      if (error !== undefined) log.failed(error);
      view.ended(end.run, error);
      const again = continuation(end, job);
      const run = await writeFiles(end, runsDir, scrub);
      log.ended(run);
      return { exitCode, error, next: error?.next ?? again, run, again };
    } finally {
      await log.close();
    }
  });
}

async function runToItsEnd(
  job: ExportJob,
  target: Target,
  stop: AbortController,
  listen: ExportListener,
): Promise<ExportEnd> {
  const { pipeline, workDir, fresh, resumed, full, accept } = job;
  const workspace = openClient(target, pipeline.export.limits, stop.signal, (event) =>
    listen(runEvent(event)),
  );
  const run = job.compact ? runCompaction : runExport;
  try {
    return await run({
      pipeline,
      workspace,
      place: target.place,
      target: target.name,
      workDir,
      version,
      fresh,
      resumed,
      full,
      accept,
      command: (words) => commandLine(words, { workspace: job.workspace, workDir: shownWorkDir(workDir) }),
      clock: systemClock,
      listen,
      stop,
    });
  } finally {
    await workspace.close(0);
  }
}

function continuation({ run }: ExportEnd, { workDir }: ExportJob): string | undefined {
  if (run.state === 'finished' || run.selection.kind === 'compact' || isKeptBack(run)) return undefined;
  return commandLine(['resume', run.id], { workspace: undefined, workDir: shownWorkDir(workDir) });
}

/** Writes what an export came to into its run's folder, and closes its journal. */
async function writeFiles(
  { file, run, complete }: ExportEnd,
  runsDir: string,
  scrub: (text: string) => string,
): Promise<ExportSummary> {
  try {
    const runDir = join(runsDir, run.id);
    const summary = exportSummary(file, run, { runDir, manifest: complete?.manifest });
    await writeExportSummary(runDir, summary, scrub);
    return summary;
  } finally {
    file.close();
  }
}
