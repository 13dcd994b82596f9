import { join } from 'node:path';
import type { Pool } from 'pg';
import { formatHint, type Invocation } from '../../app/run/command-line.ts';
import { commandWithoutFlags, hint } from '../../model/command.ts';
import type { Clock } from '../../model/ports.ts';
import { matchesAppliedAssignment } from '../apply/as-applied.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import type { JobParameters, JobWait } from '../job/messages.ts';
import type { DatabaseTime } from '../lease/database-time.ts';
import { type Lease, startRenewingLease, takeLease } from '../lease/lease.ts';
import { isMachineFault } from '../machine-fault.ts';
import { type ActiveJob, decideJobVerdict, type JobResult, type JobVerdict } from '../queue/job.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { UnrunJob } from '../queue/refused.ts';
import { type JobProcess, type JobProcessEnd, startJobProcess } from './job-child.ts';

/** The settings and ports that a worker's jobs share. */
export interface WorkerContext {
  /** The fleet; replaced when its file changes. */
  fleet: Fleet;
  /** The worker's name. */
  readonly name: string;
  readonly workDir: string;
  /** The path of the compiled script that a job's process runs. */
  readonly entry: string;
  readonly invocation: Invocation;
  readonly pool: Pool;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly log: (text: string) => void;
}

/** A taken job, with the signals that stop it. */
export interface TakenJob {
  readonly job: ActiveJob;
  /** Aborted to stop the job; it continues later. */
  readonly giveBack: AbortController;
  /** Aborted to kill its process. */
  readonly kill: AbortController;
  /** Its wait for the workspace; null while it does not wait. */
  wait: JobWait | null;
}

/** The pause before a failed save of a job's result is retried (ms). */
const askAgainMs = 1_000;

/**
 * Runs a job in its own process under the lease on its workspace, and saves its result in the queue; never throws for a
 * failed job.
 */
export async function runTakenJob(context: WorkerContext, taken: TakenJob): Promise<Worked> {
  const { end: found, lost } = await attempt(context, taken).catch((error: unknown) => ({
    end: failedWith(error, taken),
    lost: false,
  }));
  const end = { ...found, worker: context.name };
  const verdict = decideJobVerdict(end, taken.job.isLastTry);
  const failed: UnrunJob[] = [];
  await settle(context, taken.job, end, verdict, failed);
  return { end, verdict, lost, failed };
}

interface Worked {
  readonly end: JobResult;
  readonly verdict: JobVerdict;
  /** True if the lease was lost during the job. */
  readonly lost: boolean;
  /** The job, if it failed because too many machines died at work on it: nothing has reported that yet. */
  readonly failed: readonly UnrunJob[];
}

async function attempt(context: WorkerContext, taken: TakenJob): Promise<{ end: JobResult; lost: boolean }> {
  const { fleet, name, pool, queue, clock, databaseTime, invocation } = context;
  const { lease: leaseMs, settle: settleMs } = fleet.limits;
  const { job, giveBack } = taken;
  const assigned = fleet.assignments.find(
    (each) => each.workspace === job.workspace && each.pipeline === job.pipeline,
  );
  const workspace = fleet.workspaces.find((each) => each.name === job.workspace);
  const at = `${job.workspace}/${job.pipeline}`;
  if (assigned === undefined || workspace === undefined)
    return anotherFile(invocation, `the fleet file of the worker ${name} does not have ${at}.`);
  if (!(await matchesAppliedAssignment(pool, fleet, workspace, assigned)))
    return anotherFile(
      invocation,
      `the fleet file, the pipeline or the mapping of the worker ${name} differs from the applied one for ${at}.`,
    );
  const ports = { clock, databaseTime };
  const lease = await takeLease(pool, job.workspace, name, { leaseMs, settleMs }, giveBack.signal, ports);
  if (!(await queue.isTakenBy(job, name))) {
    // While it waited for the lease, the job went to another worker, which may have done it by now.
    await lease.release();
    return { end: { run: null, exitCode: null, message: null, next: null, fault: 'database' }, lost: false };
  }
  const { file, kind, notify } = assigned;
  const { places, keepResults } = fleet;
  const child = startJobProcess(
    context.entry,
    {
      ...{
        workspace,
        pipeline: job.pipeline,
        file,
        kind,
        places,
        keepResults,
        notify,
        leaseMs,
        allowEnv: invocation.allowEnv,
      },
      ...{ asked: job.asked, calledAt: job.calledAt, program: invocation.program },
      ...{ attempt: job.attempt, isLastTry: job.isLastTry, earlier: job.earlier },
      ...{ onChangedInput: assigned.onChangedInput, inputBy: assigned.inputBy },
      workDir: join(context.workDir, 'fleet', job.workspace),
      token: lease.token,
      lease: lease.until(),
    } satisfies JobParameters,
    {
      note: (text) => context.log(`${job.workspace}/${job.pipeline}: ${text}`),
      waits(wait) {
        taken.wait = wait;
      },
    },
  );
  const stopKeeping = startRenewingLease(lease, { leaseMs }, ports, (end) =>
    child.send({ kind: 'lease', end }),
  );
  const { end, orderly } = await untilEnded(context, taken, lease, child);
  await stopKeeping();
  // A killed process may have requests in flight: the next holder waits until the lease and its settling time are over.
  if (orderly && !lease.lost.aborted) await lease.release().catch(() => undefined);
  return { end, lost: lease.lost.aborted };
}

/** Returns the result of a job that needs a worker with the applied files. */
function anotherFile(invocation: Invocation, message: string): { end: JobResult; lost: boolean } {
  const next = formatHint(
    hint`Give every worker the files that were applied, which it reads again each minute; or apply those that it has: ${commandWithoutFlags('fleet', 'apply')}.`,
    invocation,
  );
  return { end: { run: null, exitCode: 2, message, next, fault: 'machine' }, lost: false };
}

/**
 * Waits for the process of a job; stops an import at the end of its slice, and kills the process if the lease is lost.
 */
async function untilEnded(
  { fleet, clock }: WorkerContext,
  { job, giveBack, kill }: TakenJob,
  lease: Lease,
  child: JobProcess,
): Promise<JobProcessEnd> {
  const over = new AbortController();
  const giveUp = () => child.send({ kind: 'stop', why: 'the job is given back' });
  const endSlice = () => child.send({ kind: 'stop', why: 'the slice is over' });
  const killIt = () => child.kill();
  const on = (signal: AbortSignal, what: () => void) => {
    if (signal.aborted) what();
    else signal.addEventListener('abort', what, { once: true, signal: over.signal });
  };
  on(giveBack.signal, giveUp);
  on(kill.signal, killIt);
  on(lease.lost, killIt);
  // An export has no slices: it starts over on another machine, so an export longer than a slice would never end.
  if (job.kind === 'import')
    // The slice begins when the job is prepared: on a slow machine the preparation alone may take as long as a slice,
    // and the import would never progress.
    void child.prepared
      .then(() => clock.sleep(fleet.limits.slice, over.signal))
      .then(endSlice, () => undefined);
  try {
    return await child.ended;
  } finally {
    over.abort(new Error('The job has ended.'));
  }
}

/** Saves a job's result in the queue, and retries until the database accepts it. */
async function settle(
  context: WorkerContext,
  job: ActiveJob,
  end: JobResult,
  verdict: JobVerdict,
  failed: UnrunJob[],
): Promise<void> {
  const { clock, log } = context;
  const at = `${job.workspace}/${job.pipeline}`;
  for (let warned = false; ; warned = true) {
    try {
      const mine = await settleIn(context, job, end, verdict, failed);
      const why = end.message === null ? '' : `: ${end.message}`;
      log(mine ? `${at}: ${words[verdict]}${why}` : `${at}: ${notMine}`);
      return;
    } catch (error) {
      if (!warned) log(`${at}: its end cannot be saved yet: ${textOf(error)}`);
      await clock.sleep(askAgainMs);
    }
  }
}

/** Saves a job's result; returns true if the job was still this worker's. */
function settleIn(
  { queue, name }: WorkerContext,
  job: ActiveJob,
  end: JobResult,
  verdict: JobVerdict,
  failed: UnrunJob[],
): Promise<boolean> {
  if (verdict === 'done') return queue.finish(job, name, end);
  if (verdict === 'continue') return queue.continueLater(job, name, end.run ?? undefined);
  if (verdict === 'back') return queue.giveBack(job, name, end);
  if (verdict === 'died') return queue.died(job, name, end, failed);
  if (verdict === 'wait') return queue.postpone(job, name, end);
  if (verdict === 'decide') return queue.leaveToPerson(job, name, end);
  return queue.fail(job, name, end, { again: verdict === 'again' });
}

/** Logged where a job was given to another worker, or withdrawn by `fleet apply`, before its end was saved. */
const notMine = 'no longer the job of this worker: another one has it, or it has left the fleet';

const words: Readonly<Record<JobVerdict, string>> = {
  done: 'done',
  continue: 'continues later',
  back: 'given back, this machine cannot do it',
  died: 'broke off, it is done again',
  wait: 'waits for its input',
  decide: 'waits for a person',
  again: 'failed, is tried again',
  person: 'failed',
};

function failedWith(error: unknown, { giveBack }: TakenJob): JobResult {
  // The job had not begun: it waited for the lease.
  if (giveBack.signal.aborted) return { run: null, exitCode: 143, message: null, next: null };
  // Before its process starts, a job uses only the fleet's database.
  const fault = isMachineFault(error) ? 'machine' : 'database';
  return { run: null, exitCode: 1, message: textOf(error), next: null, fault };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
