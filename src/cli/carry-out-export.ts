import { startExportProgress } from '../report/export-progress.ts';
import { renderExport } from '../report/export-summary.ts';
import type { LoadedExportPipeline } from '../runs/pipeline/export-settings.ts';
import { loadExportPipeline } from '../runs/pipeline/index.ts';
import { type ExportResult, exportOnce } from '../wiring/export-once.ts';
import { openTarget, type Target } from '../wiring/target.ts';
import { variable } from '../wiring/variables.ts';
import { withAlerts } from '../wiring/with-alerts.ts';
import { systemClock } from '../workspace/index.ts';
import { atScreen } from './at-screen.ts';
import { withCommands } from './next-hint.ts';
import type { Demand } from './only-of-run.ts';
import { printError, type Screen } from './screen.ts';

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

/** Runs an export and shows on the screen how it goes and what it came to; returns the exit code. */
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
    token: flags.workspace === 'sandbox' ? '' : variable(workspace.tokenEnv),
    workspace: flags.workspace,
    workDir: flags.workDir,
  } as const;
  const { exitCode } = await withAlerts(command, atScreen(screen), () =>
    exportShown(pipeline, flags, screen, demand).catch(withNext),
  );
  return exitCode;
}

function typedWords({ pipelineFile, ...flags }: ExportFlags): readonly string[] {
  const given = (['fresh', 'full', 'compact', 'accept'] as const).filter((flag) => flags[flag]);
  return ['export', pipelineFile, ...given.map((flag) => `--${flag}`)];
}

async function exportShown(
  pipeline: LoadedExportPipeline,
  flags: ExportFlags,
  screen: Screen,
  demand: Demand | undefined,
): Promise<ExportResult> {
  const shown = screen.progress;
  const progress = shown && startExportProgress({ screen: shown, clock: systemClock });
  try {
    const job = {
      ...flags,
      pipeline,
      openTarget: () => openTarget(flags, pipeline.export.workspace),
      ...(demand !== undefined && { acceptTarget: (target: Target) => demand(pipeline, target) }),
    };
    const result = await exportOnce(job, atScreen(screen), {
      listen: (event) => progress?.listen(event),
      ended(_, error) {
        progress?.stop();
        if (error !== undefined) printError(error);
      },
    });
    const { run, again } = result;
    screen.result(() => renderExport(run, { colour: screen.colour, again }), run);
    return result;
  } finally {
    progress?.stop();
  }
}
