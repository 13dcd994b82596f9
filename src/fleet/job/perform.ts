import type { Pool } from 'pg';
import { formatAlertReason } from '../../app/run/alert.ts';
import { formatErrorNextStep, type Invocation } from '../../app/run/command-line.ts';
import { getErrorExitCode } from '../../app/run/exit-code.ts';
import { prepareWorkDir } from '../../app/run/work-dir.ts';
import { fleetMarkerStore } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import { readFleetKey } from '../crypt/key.ts';
import { connectDatabase } from '../database/connect.ts';
import { createAssignedPipelineLoader } from '../fleet-file/pipelines.ts';
import { readPersonRemovalIds, removeOutdatedWorkDir } from '../forget/older-copies.ts';
import { describeJobError } from '../machine-fault.ts';
import type { JobResult } from '../queue/job.ts';
import { type JournalShipping, openJournalShipping } from '../ship/ship.ts';
import { fleetDatabaseVariable } from '../variables.ts';
import { alertOfFailure, faultOf, fleetStepOf } from './alerts.ts';
import { createFleetCommandTranslator } from './fleet-command.ts';
import type { JobMessage, JobParameters } from './messages.ts';
import type { JobContext, JobControl } from './orders.ts';
import { runExportJob } from './run-export.ts';
import { runImportJob } from './run-import.ts';

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
  const reportedErrors = new Set<unknown>();
  let pool: Pool | undefined;
  try {
    pool = await connectDatabase(process.env[fleetDatabaseVariable], 2);
    await prepare(pool, order, orders, (text) => send({ kind: 'note', text }));
    return await withShipping(pool, { order, invocation, orders, send, reportedErrors });
  } catch (error) {
    const end = endedBy(error, order, invocation);
    const { exitCode, fault, next } = end;
    // A job that another machine or attempt continues has no alert.
    const isOver = fault === undefined && exitCode !== null && exitCode < interruptedBySignal;
    if (isOver && !reportedErrors.has(error) && !orders.lost.aborted) {
      const failure = { exitCode, reason: formatAlertReason(error), next };
      await alertOfFailure({ order, send }, failure, invocation, pool);
    }
    return end;
  } finally {
    await pool?.end();
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
  const { order, orders, send } = job;
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
function endedBy(error: unknown, order: JobParameters, invocation: Invocation): JobResult {
  const message = describeJobError(error, order.workDir);
  const own = error instanceof FatalError ? formatErrorNextStep(error, invocation) : undefined;
  const next = fleetStepOf(order, error, invocation) ?? own ?? null;
  return { run: null, exitCode: getErrorExitCode(error), message, next, ...faultOf(error) };
}

/** Exit codes from this one on are those of a signal. */
const interruptedBySignal = 130;
