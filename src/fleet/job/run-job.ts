import type { RunCallbacks } from '../../app/run/caller.ts';
import {
  type AnyRunEvent,
  type EndedRunReport,
  type PipelineRun,
  type RunEnd,
  type RunEnvironment,
  runPipeline,
} from '../../app/run/run-pipeline.ts';
import { startHeartbeat } from '../../app/run/until-stopped.ts';
import type { RowCounts } from '../../model/outcome.ts';
import { systemClock } from '../../workspace/index.ts';
import { describeJobError } from '../machine-fault.ts';
import type { JobNextCommand, JobResult } from '../queue/job.ts';
import { faultOf, fleetStepOf, toAlertPorts } from './alerts.ts';
import type { JobWait } from './messages.ts';
import type { JobContext } from './orders.ts';
import { copyRunResults } from './results.ts';
import { loadWorkspaceTarget } from './token.ts';
import { createWaitReporter } from './waits.ts';

/** The pause between two looks whether a run waits for its workspace (ms). */
const waitBeatMs = 1_000;

/** The next steps after a run, and the ids of other runs whose files it rewrote. */
interface Leftovers {
  readonly steps: readonly JobNextCommand[];
  readonly others: readonly string[];
}

/**
 * Runs a pipeline under the lease and with the shipped journal; returns the job's result. Throws an error that occurs
 * before the run begins.
 */
export async function runPipelineJob<Event extends AnyRunEvent, End extends RunEnd, R extends EndedRunReport>(
  run: PipelineRun<Event, End, R>,
  context: JobContext,
  leftBy: (report: NoInfer<R>) => Leftovers = () => ({ steps: [], others: [] }),
): Promise<JobResult> {
  const { order, invocation, orders, shipping, send, reportedErrors } = context;
  const { workDir, workspace, notify } = order;
  const note = (text: string) => send({ kind: 'note', text });
  const reportWait = (wait: JobWait | null) => {
    send({ kind: 'waits', wait });
    if (wait !== null) note(`Waiting for the workspace: ${wait.reason}`);
  };
  const prepared = {
    ...run,
    settings: { ...run.settings, notify },
    async start(environment: RunEnvironment<Event>) {
      send({ kind: 'prepared' });
      const stopBeat = startHeartbeat(
        systemClock,
        waitBeatMs,
        createWaitReporter(environment.workspace, systemClock.now, reportWait),
      );
      try {
        return await run.start(environment);
      } finally {
        await stopBeat();
      }
    },
  };
  const site = {
    ...{
      workDir,
      invocation: { ...invocation, workDir },
      target: loadWorkspaceTarget(workspace, invocation),
    },
    fleet: {
      ...{ shipping, leave: orders.lease },
      ...toAlertPorts(context),
    },
  };
  const caller: RunCallbacks<Event, R> = {
    note,
    warn: note,
    stoppable: () => followStop(orders.stop.signal),
    listen(event) {
      if (event.kind === 'started' || event.kind === 'begun') send({ kind: 'began', run: event.run });
    },
    // Called before the alert is sent.
    failed(error) {
      reportedErrors.add(error);
    },
    rethrow(error) {
      throw error;
    },
  };
  const ending = await runPipeline(prepared, site, caller);
  if (ending.report === undefined) throw ending.error;
  const { run: ended } = ending.report;
  const next = fleetStepOf(order, ending.error, invocation) ?? ending.report.next ?? null;
  const message = ending.error === undefined ? null : describeJobError(ending.error, workDir);
  const fault = faultOf(ending.error);
  const { rows, seconds } = ended;
  const counts = (rows && numbersOf(rows)) ?? ended.counts;
  const figures = { seconds, ...(counts && { counts }) };
  const end = { run: ended.run, exitCode: ending.exitCode, message, next, ...figures, ...fault };
  // After a machine fault or a lost lease nothing is copied, because another machine takes the workspace over.
  if (fault.fault !== undefined || orders.lost.aborted) return end;
  const { steps, others } = leftBy(ending.report);
  const results = await copyRunResults(context, [ended.run, ...others]);
  return { ...end, ...(results && { results }), ...(steps.length > 0 && { steps }) };
}

/**
 * Returns a controller that is aborted with the signal. A run that fails aborts its own, and its alert is still sent.
 */
function followStop(signal: AbortSignal): ReturnType<RunCallbacks<never, never>['stoppable']> {
  const stop = new AbortController();
  const follow = () => stop.abort(signal.reason);
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return { stop, release: () => signal.removeEventListener('abort', follow) };
}

/** Returns the numbers of rows by outcome, without outcomes that no row has. */
function numbersOf({ read: _read, notReached: _notReached, ...outcomes }: RowCounts): Record<string, number> {
  return Object.fromEntries(Object.entries(outcomes).filter(([, n]) => n > 0));
}
