import { join } from 'node:path';
import { scrubber, startLog, startProgress } from '../report/index.ts';
import { commandLine, nextSteps } from '../report/next-steps.ts';
import { selectionCommand } from '../report/selection-words.ts';
import type { Listener } from '../runs/events.ts';
import { type ImportEnd, runImport } from '../runs/import/import.ts';
import { type LoadedPipeline, loadPipeline } from '../runs/pipeline/index.ts';
import { systemClock } from '../workspace/index.ts';
import { atTarget } from './at-target.ts';
import type { CommandEnd } from './command-end.ts';
import { withCommands } from './next-hint.ts';
import type { Demand } from './only-of-run.ts';
import { openClient } from './open-client.ts';
import { findSource, type PipelineSource } from './open-source.ts';
import { checkChoice, type RowChoice } from './row-choice.ts';
import { runEvent } from './run-event.ts';
import type { Screen } from './screen.ts';
import { showEnd } from './show-end.ts';
import type { Target } from './target.ts';
import { withAlerts } from './with-alerts.ts';
import { shownWorkDir } from './work-dir.ts';

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

/** Wires an import to the real clock, network and screen, and carries it out; returns the exit code. */
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
    tokenEnv: workspace.tokenEnv,
    workspace: flags.workspace,
    workDir: flags.workDir,
  } as const;
  return await withAlerts(command, screen, () => importOnce(pipeline, flags, screen, demand).catch(withNext));
}

async function importOnce(
  pipeline: LoadedPipeline,
  flags: ImportFlags,
  screen: Screen,
  demand: Demand | undefined,
): Promise<CommandEnd> {
  checkChoice(flags.choice, pipeline);
  const source = findSource(pipeline, flags);
  return await atTarget(flags, pipeline.import.workspace, async (target, stop) => {
    demand?.(pipeline, target);
    return await importInto({ target, source }, pipeline, flags, stop, screen);
  });
}

/** The workspace that is written, and where the input is one, too, that which is read. */
interface Ends {
  readonly target: Target;
  readonly source: PipelineSource | undefined;
}

async function importInto(
  ends: Ends,
  pipeline: LoadedPipeline,
  flags: ImportFlags,
  stop: AbortController,
  screen: Screen,
): Promise<CommandEnd> {
  const scrub = scrubber([...ends.target.secrets, ...(ends.source?.secrets ?? [])]);
  const log = startLog({
    runsDir: join(flags.workDir, 'runs'),
    clock: systemClock,
    scrub,
    trouble: (sentence) => screen.note(sentence),
  });
  try {
    const end = await runWithProgress(ends, pipeline, flags, stop, screen, log.listen);
    if (end.error !== undefined) log.failed(end.error);
    const { hold } = pipeline.import.phases;
    const summary = await showEnd(end, { ...flags, hold, scrub }, screen);
    log.ended(summary);
    const { pipelineFile, workspace, source } = flags;
    const context = { pipelineFile, workspace, source, workDir: shownWorkDir(flags.workDir) };
    const [next] = nextSteps(summary, context).flatMap(({ command }) => command ?? []);
    return { exitCode: end.exitCode, run: summary, error: end.error, next };
  } finally {
    await log.close();
  }
}

async function runWithProgress(
  { target, source }: Ends,
  pipeline: LoadedPipeline,
  flags: ImportFlags,
  stop: AbortController,
  screen: Screen,
  log: Listener,
): Promise<ImportEnd> {
  const progress =
    screen.json || screen.quiet
      ? undefined
      : startProgress({
          stream: process.stderr,
          terminal: process.stderr.isTTY === true,
          clock: systemClock,
        });
  const listen: Listener = (event) => {
    progress?.listen(event);
    log(event);
  };
  const workspace = openClient(target, pipeline.import.limits, stop.signal, (event) =>
    listen(runEvent(event)),
  );
  try {
    return await runImport({
      pipeline,
      workspace,
      place: target.place,
      target: target.name,
      workDir: flags.workDir,
      liveSource: source?.live(stop.signal, listen),
      fresh: flags.fresh,
      limit: flags.limit ?? Number.POSITIVE_INFINITY,
      ...flags.choice,
      command: (words) => typed(words, flags),
      clock: systemClock,
      listen,
      stop,
    });
  } finally {
    progress?.stop();
    await workspace.close(0);
  }
}

/** A command as it is typed here; an import stands for whatever takes up the rows that this one is about. */
function typed(
  [verb = '', ...rest]: readonly string[],
  { choice, source, workspace, workDir }: ImportFlags,
): string {
  const [file = '', ...more] = rest;
  const words = verb === 'import' ? [...selectionCommand(choice.selection, file), ...more] : [verb, ...rest];
  return commandLine(words, { workspace, source, workDir: shownWorkDir(workDir) });
}
