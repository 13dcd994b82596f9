import { startProgress } from '../report/index.ts';
import { commandLine, type NextStep } from '../report/next-steps.ts';
import { renderRehearsal } from '../report/rehearsal-text.ts';
import { selectionCommand } from '../report/words.ts';
import { loadPipeline } from '../runs/pipeline/index.ts';
import type { RehearsalSummary } from '../runs/rehearse/rehearsal-schema.ts';
import { type RehearsalJob, rehearseInto } from '../wiring/rehearse-run.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { systemClock } from '../workspace/index.ts';
import { type Typed, withCommands } from './next-hint.ts';
import { printWarning, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

/** What rehearse asks for. */
export interface RehearsalFlags extends RehearsalJob, Typed {}

/** Rehearses an import and shows what it came to; returns the import's exit code. */
export async function runRehearse(flags: RehearsalFlags, screen: Screen): Promise<number> {
  const { pipelineFile, source } = flags;
  const words = selectionCommand(flags.selection, pipelineFile).slice(1);
  const rethrow = withCommands(flags, ['rehearse', ...words]);
  const pipeline = await loadPipeline(pipelineFile, source).catch(rethrow);
  const progress = screen.progress && startProgress({ screen: screen.progress, clock: systemClock });
  const caller = {
    note: (text: string) => screen.note(text),
    warn: printWarning,
    stoppable: onStopSignals,
    listen: (event: Parameters<NonNullable<typeof progress>['listen']>[0]) => progress?.listen(event),
  };
  try {
    const { summary, run, problems } = await rehearseInto(pipeline, flags, flags, caller).catch(rethrow);
    progress?.stop();
    const { colour, columns } = screen;
    const view = { colour, columns, next: nextStepsOf(flags, summary) };
    screen.result(() => renderRehearsal(summary, run, problems, view), summary);
    return summary.exitCode;
  } finally {
    progress?.stop();
  }
}

function nextStepsOf(
  { pipelineFile, selection, workspace, source, workDir }: RehearsalFlags,
  { kept }: RehearsalSummary,
): NextStep[] {
  const context = { workspace, source, workDir: shownWorkDir(workDir) };
  const toImport = commandLine(selectionCommand(selection, pipelineFile), context);
  const looking =
    kept === null
      ? []
      : [
          {
            why: 'To look at the copy',
            command: commandLine(['sandbox', '--file', `${kept}/sandbox.db`], {}),
          },
          { why: 'To see the rehearsed run', command: commandLine(['status'], { workDir: kept }) },
        ];
  return [...looking, { why: 'To import', command: toImport }];
}
