import { join } from 'node:path';
import { startExportProgress } from '../report/export-progress.ts';
import {
  type ExportSummary,
  exportSummary,
  renderExport,
  writeExportSummary,
} from '../report/export-summary.ts';
import { scrubber, startLog } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { ExportListener } from '../runs/export/events.ts';
import { runCompaction, runExport } from '../runs/export/export.ts';
import { isKeptBack } from '../runs/export/guards.ts';
import type { ExportEnd } from '../runs/export/request.ts';
import type { LoadedExportPipeline } from '../runs/pipeline/export-settings.ts';
import { loadExportPipeline } from '../runs/pipeline/index.ts';
import { systemClock } from '../workspace/index.ts';
import { atTarget } from './at-target.ts';
import type { CommandEnd } from './command-end.ts';
import { withCommands } from './next-hint.ts';
import type { Demand } from './only-of-run.ts';
import { openClient } from './open-client.ts';
import { runEvent } from './run-event.ts';
import { printError, type Screen } from './screen.ts';
import { announceTarget, type Target } from './target.ts';
import { version } from './version.ts';
import { withAlerts } from './with-alerts.ts';
import { shownWorkDir } from './work-dir.ts';

/** What export and resume ask for. */
export interface ExportFlags {
  readonly pipelineFile: string;
  readonly fresh: boolean;
  readonly full: boolean;
  readonly compact: boolean;
  readonly resumed: boolean;
  readonly accept: boolean;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Wires an export to the real clock, network and screen, and carries it out; returns the exit code. */
export async function carryOutExport(flags: ExportFlags, screen: Screen, demand?: Demand): Promise<number> {
  const withNext = (error: unknown) => {
    throw withCommands(error, { ...flags, words: typedWords(flags) });
  };
  const pipeline = await loadExportPipeline(flags.pipelineFile).catch(withNext);
  const { notify, workspace } = pipeline.export;
  const command = {
    pipeline: pipeline.pipeline,
    kind: 'export',
    notify,
    tokenEnv: workspace.tokenEnv,
    workspace: flags.workspace,
    workDir: flags.workDir,
  } as const;
  return await withAlerts(command, screen, () => exportOnce(pipeline, flags, screen, demand).catch(withNext));
}

function typedWords({ pipelineFile, ...flags }: ExportFlags): readonly string[] {
  const given = (['fresh', 'full', 'compact', 'accept'] as const).filter((flag) => flags[flag]);
  return ['export', pipelineFile, ...given.map((flag) => `--${flag}`)];
}

async function exportOnce(
  pipeline: LoadedExportPipeline,
  flags: ExportFlags,
  screen: Screen,
  demand: Demand | undefined,
): Promise<CommandEnd> {
  return await atTarget(flags, pipeline.export.workspace, async (target, stop) => {
    demand?.(pipeline, target);
    return await exportFrom(target, pipeline, flags, stop, screen);
  });
}

async function exportFrom(
  target: Target,
  pipeline: LoadedExportPipeline,
  flags: ExportFlags,
  stop: AbortController,
  screen: Screen,
): Promise<CommandEnd> {
  announceTarget(target, screen);
  const scrub = scrubber(target.secrets);
  const log = startLog({
    runsDir: join(flags.workDir, 'runs'),
    clock: systemClock,
    scrub,
    trouble: (sentence) => screen.note(sentence),
  });
  try {
    const end = await runWithProgress(target, pipeline, flags, stop, screen, log.listenToExport);
    if (end.error !== undefined) log.failed(end.error);
    const summary = await showEnd(end, flags, scrub, screen);
    log.ended(summary);
    return {
      exitCode: end.exitCode,
      run: summary,
      error: end.error,
      next: end.error?.next ?? continuation(end, flags),
    };
  } finally {
    await log.close();
  }
}

async function runWithProgress(
  target: Target,
  pipeline: LoadedExportPipeline,
  flags: ExportFlags,
  stop: AbortController,
  screen: Screen,
  log: ExportListener,
): Promise<ExportEnd> {
  const progress =
    screen.json || screen.quiet
      ? undefined
      : startExportProgress({
          stream: process.stderr,
          terminal: process.stderr.isTTY === true,
          clock: systemClock,
        });
  const listen: ExportListener = (event) => {
    progress?.listen(event);
    log(event);
  };
  const { limits } = pipeline.export;
  const workspace = openClient(target, limits, stop.signal, (event) => listen(runEvent(event)));
  const { workDir, fresh, full, accept, resumed } = flags;
  const run = flags.compact ? runCompaction : runExport;
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
      command: (words) => commandLine(words, { workspace: flags.workspace, workDir: shownWorkDir(workDir) }),
      clock: systemClock,
      listen,
      stop,
    });
  } finally {
    progress?.stop();
    await workspace.close(0);
  }
}

/** The command that goes on with what was fetched; undefined where nothing of it is left. */
function continuation({ run }: ExportEnd, { workDir }: ExportFlags): string | undefined {
  if (run.state === 'finished' || run.selection.kind === 'compact' || isKeptBack(run)) return undefined;
  return commandLine(['resume', run.id], { workspace: undefined, workDir: shownWorkDir(workDir) });
}

/** Writes what an export came to into its run's folder and shows it. */
async function showEnd(
  end: ExportEnd,
  flags: ExportFlags,
  scrub: (text: string) => string,
  screen: Screen,
): Promise<ExportSummary> {
  const { file, run, error, complete } = end;
  try {
    if (error !== undefined) printError(error);
    const runDir = join(flags.workDir, 'runs', run.id);
    const summary = exportSummary(file, run, { runDir, manifest: complete?.manifest });
    await writeExportSummary(runDir, summary, scrub);
    screen.result(
      () => renderExport(summary, { colour: screen.colour, again: continuation(end, flags) }),
      summary,
    );
    return summary;
  } finally {
    file.close();
  }
}
