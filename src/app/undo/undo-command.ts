import { assertNotFleetWorkDir, listUndos, type RunRecord } from '../../journal/index.ts';
import { hint, toCommand } from '../../model/command.ts';
import { type LoadedImportPipeline, loadImportPipeline } from '../../pipeline/index.ts';
import { buildUndoCommandWords } from '../../report/words.ts';
import { systemClock } from '../../workspace/index.ts';
import type { NextStep } from '../import/report/summary.ts';
import { formatCommandLine } from '../run/command-line.ts';
import { assertNotPruned, getRunById, withJournal } from '../run/find-run.ts';
import { startProgressDisplay } from '../run/report/progress.ts';
import type { CommandContext } from '../run/target.ts';
import { askToConfirm, assertCanAsk } from '../run/terminal/confirm.ts';
import { createErrorRethrower } from '../run/terminal/next-hint.ts';
import { printStopError, runPipelineWithSignals } from '../run/terminal/run-shown.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { renderUndoPreview, renderUndoResult } from './report/undo-text.ts';
import { createUndoRun, previewUndoInWorkspace, type UndoOptions } from './undo-run.ts';

interface UndoFlags extends CommandContext {
  readonly run: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly conversations: boolean;
  readonly deleteTags: boolean;
}

/** The maximum number of contacts that a preview shows with their values. */
const usualSample = 3;

/** Undoes a run after confirmation, or shows its preview with --dry-run; returns the exit code. */
export async function runUndoCommand(flags: UndoFlags, screen: Screen): Promise<number> {
  const { workDir, conversations, deleteTags } = flags;
  const { run, unfinished } = findUndoable(workDir, flags.run);
  const job = unfinished?.undo ?? { run: run.id, conversations, deleteTags };
  const site = { ...flags, workspace: flags.workspace ?? run.target };
  const pipeline = await loadImportPipeline(run.file, run.source);
  if (flags.dryRun) return await showPreview(pipeline, job, site, screen, [toDoIt(job, site)]);
  if (!flags.yes && unfinished === undefined) {
    // Checked here, too, so that no undo is confirmed and then refused.
    assertNotFleetWorkDir(workDir);
    assertAsked(job, screen);
    await showPreview(pipeline, job, site, screen, []);
    if (!(await askToConfirm(`Type the id of the run to undo it (${run.id}): `, run.id, screen))) {
      screen.note('Nothing was sent.');
      return usage;
    }
  }
  return await runConfirmedUndo(pipeline, job, site, screen);
}

const usage = 2;

/** Runs an undo and shows its progress and its result on the screen; returns the exit code. */
export async function runConfirmedUndo(
  pipeline: LoadedImportPipeline,
  job: UndoOptions,
  site: CommandContext,
  screen: Screen,
): Promise<number> {
  const progress = screen.progress && startProgressDisplay({ screen: screen.progress, clock: systemClock });
  const next = (command: string | undefined) =>
    command === undefined ? [] : [{ why: 'Continue; nothing is sent twice', command }];
  return await runPipelineWithSignals(createUndoRun(pipeline, job, site), site, {
    rethrow: createErrorRethrower({ ...site, pipelineFile: pipeline.file }, buildUndoCommandWords(job)),
    progress,
    note: (text) => screen.note(text),
    stopped: (error, run) => printStopError(error, run, site, screen),
    reported: (report) =>
      screen.result(
        () => renderUndoResult(report.run, { colour: screen.colour, next: next(report.next) }),
        report.run,
      ),
  });
}

function findUndoable(workDir: string, id: string) {
  return withJournal(workDir, (file): { run: RunRecord; unfinished: RunRecord | undefined } => {
    const run = getRunById(file, workDir, id);
    assertNotPruned(run, workDir);
    const unfinished = listUndos(file, run).find(({ state }) => state !== 'finished');
    return { run, unfinished };
  });
}

/** Throws a FatalError if there is no terminal for the confirmation. */
function assertAsked(job: UndoOptions, screen: Screen): void {
  const words = buildUndoCommandWords(job);
  const [look, go] = [toCommand(...words, '--dry-run'), toCommand(...words, '--yes')];
  assertCanAsk('undo', hint`To see what it would do: ${look}\nTo do it: ${go}`, screen);
}

function toDoIt(job: UndoOptions, { invocation }: CommandContext): NextStep {
  return { why: 'To undo it', command: formatCommandLine(buildUndoCommandWords(job), {}, invocation) };
}

async function showPreview(
  pipeline: LoadedImportPipeline,
  job: UndoOptions,
  site: CommandContext,
  screen: Screen,
  next: readonly NextStep[],
): Promise<number> {
  const caller = {
    note: (text: string) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
    listen: () => undefined,
    progress: () => undefined,
  };
  const rethrow = createErrorRethrower({ ...site, pipelineFile: pipeline.file }, [
    ...buildUndoCommandWords(job),
    '--dry-run',
  ]);
  const preview = await previewUndoInWorkspace(pipeline, job, site, caller, usualSample).catch(rethrow);
  screen.result(() => renderUndoPreview(preview, { colour: screen.colour, next }), preview);
  return 0;
}
