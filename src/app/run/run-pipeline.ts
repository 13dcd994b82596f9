import { join } from 'node:path';
import type { CommitShipper, JournalDatabase, RunKind, RunRecord } from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import type { LoadedImportSettings } from '../../pipeline/load.ts';
import { createSecretScrubber } from '../../report/scrub.ts';
import { systemClock, type Workspace, type WorkspaceEvent } from '../../workspace/index.ts';
import { type EndedRunSummary, sendRunAlert } from './alert.ts';
import { type ClientEvent, type CommandCallbacks, type RunCallbacks, toClientEvent } from './caller.ts';
import type { ExportEvent, RunEvent } from './events.ts';
import { getErrorExitCode } from './exit-code.ts';
import type { SourceWorkspaceOpener } from './live-workspace.ts';
import { MetricsFile } from './metrics-file.ts';
import { type ClientLimits, openClient } from './open-client.ts';
import type { PipelineSourceWorkspace } from './open-source.ts';
import type { RunLog } from './report/log.ts';
import { startRunLog } from './report/log.ts';
import {
  announceTarget,
  announceWorkspace,
  type CommandContext,
  openWorkspaceTarget,
  type WorkspaceTarget,
} from './target.ts';
import { assertEnvVariableAllowed, readEnvVariable } from './variables.ts';
import { prepareWorkDir } from './work-dir.ts';

/** Any event of an import, an undo or an export. */
export type AnyRunEvent = RunEvent | ExportEvent;

/** The workspaces, clock, listener and stop signal that a run is started with. */
export interface RunEnvironment<Event> {
  readonly workspace: Workspace;
  /** The name that the journal has for the workspace: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** The target that a resume opens again: the base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  readonly liveSource: SourceWorkspaceOpener | undefined;
  readonly shipping: CommitShipper | undefined;
  readonly clock: Clock;
  readonly listen: (event: Event | ClientEvent) => void;
  readonly stop: AbortController;
}

/** The end of a run: its record in the journal, and the error that stopped it. */
export interface RunEnd {
  readonly file: JournalDatabase;
  readonly run: RunRecord;
  readonly exitCode: number;
  readonly error: FatalError | undefined;
}

/** The report of a run that has ended. */
export interface EndedRunReport {
  readonly run: EndedRunSummary & Parameters<RunLog['ended']>[0];
  /** The command to type next. */
  readonly next: string | undefined;
}

/** A run of a pipeline as requested: the parts that differ between an import and an export. */
export interface PipelineRun<Event extends AnyRunEvent, End extends RunEnd, R extends EndedRunReport> {
  readonly kind: RunKind;
  /** The pipeline's name. */
  readonly pipeline: string;
  readonly settings: Pick<LoadedImportSettings, 'workspace' | 'notify'> & { readonly limits: ClientLimits };
  /**
   * Returns the workspace that the run reads, if its input is one; throws where the pipeline lacks what the run needs.
   */
  source?(): PipelineSourceWorkspace | undefined;
  /** Throws where the run must not use this workspace. */
  accept?: ((target: WorkspaceTarget) => void) | undefined;
  start(outside: RunEnvironment<Event>): Promise<End>;
  /** Writes the files of the run that has ended. */
  report(end: End, scrub: (text: string) => string): Promise<R>;
}

/** The result of running a pipeline: the report of its run, or the error that ended it before a run began. */
export type PipelineResult<R> =
  | { readonly exitCode: number; readonly report: R; readonly error: FatalError | undefined }
  | { readonly exitCode: number; readonly report: undefined; readonly error: unknown };

/**
 * Runs a pipeline with the real clock and network, writes its log and files, and sends its alerts (none for an undo),
 * which never change the result. Throws if no run could begin, except for an import or an export with alerts: then
 * `failed` is called before an alert is sent, and the error is part of the result. An error that stopped a run is
 * always part of the result.
 */
export async function runPipeline<Event extends AnyRunEvent, End extends RunEnd, R extends EndedRunReport>(
  run: PipelineRun<Event, End, R>,
  site: CommandContext,
  caller: RunCallbacks<Event, NoInfer<R>>,
): Promise<PipelineResult<R>> {
  const { notify, workspace } = run.settings;
  const sandbox = site.workspace === 'sandbox';
  const token = site.target?.token ?? (sandbox ? '' : readEnvVariable(workspace.tokenEnv, site.invocation));
  const rethrow = (error: unknown) => caller.rethrow(error);
  const go = () => openMeasured(run, site, caller).catch(rethrow);
  const { kind } = run;
  // Alerts are for unattended runs; an undo has a user at the screen.
  if (notify === undefined || kind === 'undo') return await go();
  assertEnvVariableAllowed(notify.secretEnv, site.invocation);
  const startedAt = systemClock.now();
  const ending: PipelineResult<R> = await go().catch((error: unknown) => {
    caller.failed?.(error);
    return { exitCode: getErrorExitCode(error), report: undefined, error };
  });
  const { pipeline } = run;
  const { workDir, invocation } = site;
  const name = site.fleet?.alertName ?? pipeline;
  const { fleet } = site;
  const of = { pipeline, name, kind, rehearsal: sandbox, notify, token, workDir, invocation, fleet };
  await sendRunAlert(of, startedAt, ending, caller);
  return ending;
}

/** Runs a pipeline with a metrics file, where one is requested; the file also records a command that began no run. */
async function openMeasured<Event extends AnyRunEvent, End extends RunEnd, R extends EndedRunReport>(
  run: PipelineRun<Event, End, R>,
  site: CommandContext,
  caller: RunCallbacks<Event, R>,
): Promise<PipelineResult<R>> {
  const { workDir, metrics: path, workspace } = site;
  if (path === undefined) return await openAndRun(run, site, caller, undefined);
  const { pipeline, kind } = run;
  const metrics = new MetricsFile(
    { path, workDir, pipeline, kind, rehearsal: workspace === 'sandbox' },
    caller,
  );
  try {
    const ending = await openAndRun(run, site, caller, metrics);
    metrics.end(ending.exitCode, ending.report?.run.rows);
    return ending;
  } catch (error) {
    metrics.end(getErrorExitCode(error), undefined);
    throw error;
  }
}

async function openAndRun<Event extends AnyRunEvent, End extends RunEnd, R extends EndedRunReport>(
  run: PipelineRun<Event, End, R>,
  site: CommandContext,
  caller: RunCallbacks<Event, R>,
  metrics: MetricsFile | undefined,
): Promise<PipelineResult<R>> {
  return await withWorkspaces<Event, PipelineResult<R>>(run, site, caller, async ({ secrets, open }) => {
    const scrub = createSecretScrubber(secrets);
    const runsDir = join(site.workDir, 'runs');
    const log = startRunLog({ runsDir, clock: systemClock, scrub, problem: (text) => caller.note(text) });
    const outside = open((event) => {
      caller.listen(event);
      log.listen(event);
      metrics?.listen(event);
    });
    metrics?.watch(outside.workspace);
    try {
      const end = await run.start(outside).finally(() => outside.workspace.close(0));
      const { exitCode, error } = end;
      caller.ended?.();
      if (error !== undefined) {
        log.failed(error);
        caller.stopped?.(error, end.run);
      }
      const report = await run.report(end, scrub).finally(() => end.file.close());
      log.ended(report.run);
      caller.reported?.(report, error);
      return { exitCode, report, error };
    } finally {
      await log.close();
    }
  });
}

/** The workspaces of a run, found but not contacted yet. */
interface Found<Event> {
  readonly secrets: readonly string[];
  /** Opens the client of the target, which the caller must close, and prepares the client of the source. */
  open(listen: (event: Event | ClientEvent) => void): RunEnvironment<Event>;
}

/**
 * Prepares the work dir, finds and announces the workspaces of a run, and runs `work` with them; then closes
 * the target.
 */
export async function withWorkspaces<Event, T>(
  run: Pick<PipelineRun<never, never, never>, 'settings' | 'source' | 'accept'>,
  site: CommandContext,
  caller: CommandCallbacks,
  work: (found: Found<Event>) => Promise<T>,
): Promise<T> {
  const source = run.source?.();
  const { workDir } = site;
  prepareWorkDir(workDir, (text) => caller.warn(text));
  const { stop, release } = caller.stoppable();
  try {
    const target = await openWorkspaceTarget(site, run.settings.workspace);
    try {
      run.accept?.(target);
      if (source?.baseUrl !== undefined) announceWorkspace('Source', source.baseUrl, caller);
      announceTarget(target, caller);
      const { place, name } = target;
      return await work({
        secrets: [...target.secrets, ...(source?.secrets ?? [])],
        open(listen) {
          const hear = (event: WorkspaceEvent) => listen(toClientEvent(event));
          const { leave, shipping } = site.fleet ?? {};
          const workspace = openClient(target, run.settings.limits, stop.signal, hear, { leave });
          const liveSource = source?.live(stop.signal, hear);
          const found = { workspace, place, target: name, workDir, liveSource, shipping };
          return { ...found, clock: systemClock, listen, stop };
        },
      });
    } finally {
      await target.close();
    }
  } finally {
    release();
  }
}
