import { startProgress } from '../report/index.ts';
import { selectionCommand } from '../report/words.ts';
import { type LoadedPipeline, loadPipeline } from '../runs/pipeline/index.ts';
import { type ImportResult, importOnce } from '../wiring/import-once.ts';
import { findSource } from '../wiring/open-source.ts';
import { openTarget, type Target } from '../wiring/target.ts';
import { variable } from '../wiring/variables.ts';
import { withAlerts } from '../wiring/with-alerts.ts';
import { systemClock } from '../workspace/index.ts';
import { atScreen } from './at-screen.ts';
import { withCommands } from './next-hint.ts';
import type { Demand } from './only-of-run.ts';
import { checkChoice, type RowChoice } from './row-choice.ts';
import type { Screen } from './screen.ts';
import { showEnd, showError } from './show-end.ts';

/** What import, resume and retry ask for. */
export interface ImportFlags {
  readonly pipelineFile: string;
  readonly fresh: boolean;
  readonly limit: number | undefined;
  readonly choice: RowChoice;
  /** The input in place of the pipeline's own. */
  readonly source?: string | undefined;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Runs an import and shows on the screen how it goes and what it came to; returns the exit code. */
export async function carryOutImport(flags: ImportFlags, screen: Screen, demand?: Demand): Promise<number> {
  const withNext = (error: unknown) => {
    throw withCommands(error, {
      ...flags,
      words: selectionCommand(flags.choice.selection, flags.pipelineFile),
    });
  };
  const pipeline = await loadPipeline(flags.pipelineFile, flags.source).catch(withNext);
  const { notify, workspace } = pipeline.import;
  const command = {
    pipeline: pipeline.pipeline,
    kind: 'import',
    notify,
    token: flags.workspace === 'sandbox' ? '' : variable(workspace.tokenEnv),
    workspace: flags.workspace,
    workDir: flags.workDir,
  } as const;
  const { exitCode } = await withAlerts(command, atScreen(screen), () =>
    importShown(pipeline, flags, screen, demand).catch(withNext),
  );
  return exitCode;
}

async function importShown(
  pipeline: LoadedPipeline,
  flags: ImportFlags,
  screen: Screen,
  demand: Demand | undefined,
): Promise<ImportResult> {
  checkChoice(flags.choice, pipeline);
  const shown = screen.progress;
  const progress = shown && startProgress({ screen: shown, clock: systemClock });
  try {
    const job = {
      ...flags,
      pipeline,
      source: findSource(pipeline, flags),
      openTarget: () => openTarget(flags, pipeline.import.workspace),
      ...(demand !== undefined && { accept: (target: Target) => demand(pipeline, target) }),
    };
    const result = await importOnce(job, atScreen(screen), {
      listen: (event) => progress?.listen(event),
      ended(run, error) {
        progress?.stop();
        if (error !== undefined) showError(error, run, flags, screen);
      },
    });
    showEnd(result, flags, screen);
    return result;
  } finally {
    progress?.stop();
  }
}
