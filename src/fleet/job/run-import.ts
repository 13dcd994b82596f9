import { RunInputsChangedError } from '../../app/import/bind.ts';
import { createUnguardedImportRun } from '../../app/import/import-run.ts';
import { formatErrorNextStep } from '../../app/run/command-line.ts';
import { getErrorExitCode } from '../../app/run/exit-code.ts';
import { readEnvVariable } from '../../app/run/variables.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import { readFleetKey } from '../crypt/key.ts';
import { MissingInputError } from '../places/place.ts';
import type { JobResult } from '../queue/job.ts';
import { computeNextTime } from '../schedule/next-time.ts';
import { alertOfFailure } from './alerts.ts';
import { buildRequestedImportOptions } from './asked-run.ts';
import { createFleetCommandTranslator } from './fleet-command.ts';
import { toPipelineWithLocalInput } from './inputs.ts';
import type { JobContext } from './orders.ts';
import { runPipelineJob } from './run-job.ts';
import { loadWorkspaceTarget } from './token.ts';

/** Runs an import job: a normal import, one that continues an interrupted run, or one for a request. */
export async function runImportJob(loaded: LoadedImportPipeline, context: JobContext): Promise<JobResult> {
  const { order, orders, pool, invocation } = context;
  const ports = {
    clock: systemClock,
    randomness: systemRandomness,
    signal: orders.stop.signal,
    variable: (name: string) => readEnvVariable(name, invocation),
  };
  try {
    const pipeline = await toPipelineWithLocalInput(loaded, order, ports);
    const asked = await buildRequestedImportOptions(pipeline, order, {
      pool,
      key: readFleetKey(process.env),
    });
    if (asked === undefined) return nothingToRetry;
    const job = { pipelineFile: order.file, full: false, ...asked };
    const { workDir } = order;
    const site = {
      workDir,
      invocation: { ...invocation, workDir },
      target: loadWorkspaceTarget(order.workspace, invocation),
    };
    return await runPipelineJob(
      createUnguardedImportRun(pipeline, job, site),
      context,
      ({ run: { next, selection } }) => ({
        steps: next,
        others: selection.kind === 'retry' ? [selection.run] : [],
      }),
    );
  } catch (error) {
    if (error instanceof MissingInputError && order.inputBy !== undefined) return await late(error, context);
    if (error instanceof RunInputsChangedError && order.onChangedInput === 'wait')
      return heldBy(error, context);
    throw error;
  }
}

const nothingToRetry: JobResult = {
  ...{ run: null, exitCode: 0, next: null },
  message: 'there was nothing to retry: no row was rejected, failed or is uncertain.',
};

/**
 * Returns the result of a job whose input is missing: until `inputBy` the job waits, after that it fails,
 * with an alert.
 */
async function late(error: MissingInputError, context: JobContext): Promise<JobResult> {
  const { order, invocation, pool } = context;
  const { inputBy, calledAt } = order;
  const now = systemClock.now();
  if (inputBy === undefined) throw error;
  const [hour, minute] = inputBy.time.split(':').map(Number);
  const times = { cron: `${minute} ${hour} * * *`, timezone: inputBy.timezone };
  const until = computeNextTime(times, 0, calledAt ?? now);
  if (now < until) {
    const message = `${error.message} It is waited for until ${inputBy.time} (${inputBy.timezone}).`;
    return { run: null, exitCode: null, message, next: null, waitsFor: 'input' };
  }
  const message = `${error.message} It was waited for until ${inputBy.time} (${inputBy.timezone}).`;
  const next = createFleetCommandTranslator(order)(['import', order.file]) ?? [];
  await alertOfFailure(context, { exitCode: 2, reason: message, next: next.join(' ') }, invocation, pool);
  return { run: null, exitCode: 2, message, next: formatErrorNextStep(error, invocation) ?? null };
}

function heldBy(error: FatalError, { invocation }: JobContext): JobResult {
  const next = formatErrorNextStep(error, invocation) ?? null;
  return { run: null, exitCode: getErrorExitCode(error), message: error.message, next, waitsFor: 'person' };
}
