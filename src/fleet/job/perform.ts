import type { Pool } from 'pg';
import { formatAlertReason } from '../../app/run/alert.ts';
import { formatErrorNextStep, type Invocation } from '../../app/run/command-line.ts';
import { getErrorExitCode } from '../../app/run/exit-code.ts';
import { prepareWorkDir } from '../../app/run/work-dir.ts';
import { fleetMarkerStore } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import { sendFleetAlert } from '../alert.ts';
import { readFleetKey } from '../crypt/key.ts';
import { connectDatabase } from '../database/connect.ts';
import { createAssignedPipelineLoader } from '../fleet-file/pipelines.ts';
import { readPersonRemovalIds, removeOutdatedWorkDir } from '../forget/older-copies.ts';
import type { JobResult } from '../queue/job.ts';
import { type JournalShipping, openJournalShipping } from '../ship/ship.ts';
import { fleetDatabaseVariable } from '../variables.ts';
import { createFleetCommandTranslator } from './fleet-command.ts';
import type { JobMessage, JobParameters } from './messages.ts';
import type { JobAlerting, JobContext, JobControl } from './orders.ts';
import { runExportJob } from './run-export.ts';
import { runImportJob } from './run-import.ts';
import { faultOf, foreseeFailure } from './run-job.ts';

/**
 * Runs a job, in the process that was started for it, under the worker's lease and with a shipped journal.
 * Never throws: an error becomes the result.
 */
export async function runJobInThisProcess(
  order: JobParameters,
  orders: JobControl,
  send: (message: JobMessage) => void,
): Promise<JobResult> {
  const end = await perform(order, orders, send);
  const failed = end.exitCode !== 0 && end.exitCode !== 3;
  return failed && end.fault === undefined && orders.lost.aborted ? { ...end, fault: 'database' } : end;
}

async function perform(
  order: JobParameters,
  orders: JobControl,
  send: (message: JobMessage) => void,
): Promise<JobResult> {
  const { program, allowEnv } = order;
  const instead = createFleetCommandTranslator(order);
  const invocation: Invocation = { program, words: [], allowEnv, instead };
  const alerting: JobAlerting = { notify: order.alerts, reported: new Set() };
  try {
    const pool = await connectDatabase(process.env[fleetDatabaseVariable], 2);
    try {
      await prepare(pool, order, orders, (text) => send({ kind: 'note', text }));
      return await withShipping(pool, { order, invocation, orders, send, alerting });
    } finally {
      await pool.end();
    }
  } catch (error) {
    const end = endedBy(error, invocation);
    if (!alerting.reported.has(error) && !orders.lost.aborted)
      await alertOfEnd(error, end, { order, send, alerting }, invocation);
    return end;
  }
}

/**
 * Removes an outdated work dir; creates a missing one, and marks it as the fleet's, so that other commands do not
 * change it.
 */
async function prepare(
  pool: Pool,
  { workDir, workspace: { name: workspace } }: JobParameters,
  { lost: signal }: JobControl,
  note: (text: string) => void,
): Promise<void> {
  const forgotten = await readPersonRemovalIds({ pool, clock: systemClock, signal }, workspace);
  if (removeOutdatedWorkDir(workDir, forgotten))
    note('A person was forgotten: the older work dir of this machine was removed.');
  prepareWorkDir(workDir, note);
  const known = new Set([...(fleetMarkerStore.read(workDir)?.forgotten ?? []), ...forgotten]);
  fleetMarkerStore.write(workDir, { workspace, forgotten: [...known] });
}

const notes: Readonly<Partial<Record<JournalShipping['from'], string>>> = {
  restored: 'The journal was restored from the database.',
  newer:
    'The journal of this machine is newer than that of the database, which was set back: it is used, and saved.',
};

async function withShipping(pool: Pool, job: Omit<JobContext, 'pool' | 'shipping'>): Promise<JobResult> {
  const { order, orders, send, alerting } = job;
  const { workspace, token, workDir } = order;
  const shipping = await openJournalShipping(pool, workDir, {
    workspace: workspace.name,
    token,
    key: readFleetKey(process.env),
    clock: systemClock,
    signal: orders.lost,
  });
  try {
    const note = notes[shipping.from];
    if (note !== undefined) send({ kind: 'note', text: note });
    const loadAssigned = createAssignedPipelineLoader({ workspaces: [workspace] });
    const { file, kind } = order;
    const loaded = await loadAssigned({ file, kind, workspace: workspace.name });
    alerting.notify = ('import' in loaded ? loaded.import : loaded.export).notify ?? order.alerts;
    const context = { ...job, pool, shipping };
    const end =
      'import' in loaded ? await runImportJob(loaded, context) : await runExportJob(loaded, context);
    await shipping.ship();
    return end;
  } finally {
    await shipping.close();
  }
}

/** Returns the result of a job that ended with an error outside of a run. */
function endedBy(error: unknown, invocation: Invocation): JobResult {
  const message = error instanceof Error ? error.message : String(error);
  const next = error instanceof FatalError ? (formatErrorNextStep(error, invocation) ?? null) : null;
  return { run: null, exitCode: getErrorExitCode(error), message, next, ...faultOf(error) };
}

/** Sends the alert about a job that failed outside of a run; a job that another machine or attempt continues has none. */
async function alertOfEnd(
  error: unknown,
  { exitCode, fault, next }: JobResult,
  { order, send, alerting }: Pick<JobContext, 'order' | 'send' | 'alerting'>,
  invocation: Invocation,
): Promise<void> {
  if (fault !== undefined || exitCode === null || exitCode >= interruptedBySignal) return;
  const { workspace, pipeline, kind, earlier } = order;
  const { isTriedAgain, sentence, next: again } = foreseeFailure(order, { exitCode }, invocation);
  // Only the first of the tries in a row is reported, and the last.
  if (isTriedAgain && earlier.failures > 0) return;
  const at = new Date(systemClock.now()).toISOString();
  const failure = {
    ...({ kind, outcome: 'failed', exitCode, startedAt: at, finishedAt: at } as const),
    ...{
      pipeline: `${workspace.name}/${pipeline}`,
      message: `${formatAlertReason(error)}${sentence}`,
      next: again ?? next,
    },
  };
  await sendFleetAlert(alerting.notify, failure, invocation, (text) => send({ kind: 'note', text }));
}

/** Exit codes from this one on are those of a signal. */
const interruptedBySignal = 130;
