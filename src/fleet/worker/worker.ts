import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { formatCommandLine } from '../../app/run/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { sendFleetAlert } from '../alert.ts';
import { createCachedContentsHasher } from '../fleet-file/contents.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { loadFleet } from '../fleet-file/load.ts';
import { removeOutdatedWorkDirs } from '../forget/older-copies.ts';
import type { UnrunJob } from '../queue/refused.ts';
import {
  collectAlert,
  isReportedFailure,
  readFailures,
  saveSentAlert,
  toReportedFailure,
} from '../queue/reported.ts';
import { recordWorkerShutdown, saveHeartbeat } from '../queue/worker-record.ts';
import { runSchedulerTick } from '../schedule/ticker.ts';
import { checkMachine } from './machine-check.ts';
import { MachineReadiness, type MachineReadinessState } from './readiness.ts';
import { findNotifySettings, sendSharedAlerts } from './shared-alerts.ts';
import { createDatabaseStall, findStalledJobs, type StallAlert } from './stall-alert.ts';
import { runTakenJob, type TakenJob, type WorkerContext } from './work-on.ts';
import type { WorkerMetrics, WorkerState } from './worker-metrics.ts';

/** The pause after an attempt that took no job (ms). */
const lookMs = 1_000;
const tickMs = 1_000;
const maintainMs = 5 * 60_000;
const removeMs = 60_000;
const shareMs = 60_000;
const longestBeatMs = 5_000;
const mostCheckMs = 60_000;
/**
 * A job fails only after all machines have refused it for this many lease durations, because a machine may be
 * restarting.
 */
const refusedLeases = 20;

/** Returns for how long a machine takes no job before an alert says so (ms). */
export function stallPatienceMs({ limits }: Pick<Fleet, 'limits'>): number {
  return refusedLeases * limits.lease;
}

/** The options of a worker. */
export interface WorkerOptions {
  readonly host: string;
  /** The maximum number of concurrent jobs. */
  readonly concurrency: number;
  readonly workerMetrics: WorkerMetrics;
  /** The alert about a stall, which may have begun before the worker could start. */
  readonly stallAlert: StallAlert;
}

/** Takes jobs from the queue and runs each in its own process, until it is drained. */
export class Worker {
  readonly #context: WorkerContext;
  readonly #options: WorkerOptions;
  readonly #running = new Map<TakenJob, Promise<void>>();
  /** Aborted when the worker drains: it takes no more jobs. */
  readonly #drained = new AbortController();
  #maintainedAt: number;
  #database = true;
  /** Resolves when the alerts about jobs that failed outside of their processes are sent. */
  #alerting = Promise.resolve();
  readonly #readiness = new MachineReadiness();
  /** The refused workspaces as of the last heartbeat. */
  #reported: MachineReadinessState['refused'] | undefined;

  constructor(context: WorkerContext, options: WorkerOptions) {
    this.#context = context;
    this.#options = options;
    this.#maintainedAt = context.clock.now();
  }

  /** Returns the state of the worker. */
  now(): WorkerState {
    const { name } = this.#context;
    const { concurrency } = this.#options;
    const draining = this.#drained.signal.aborted;
    const { notReady, refused } = this.#readiness.state;
    return {
      ...{ name, jobs: this.#running.size, concurrency, draining, database: this.#database, notReady },
      refused: Object.keys(refused).length,
    };
  }

  /** Runs until it is drained and its last job has ended. */
  async run(): Promise<void> {
    const { fleet, clock, pool, name } = this.#context;
    const beating = new AbortController();
    await this.#guarded(() => this.#checkMachine());
    const checks = this.#repeat(this.#checkEveryMs(), this.#drained.signal, () => this.#checkMachine());
    const beats = this.#repeat(Math.min(longestBeatMs, fleet.limits.lease / 3), beating.signal, () =>
      this.#beat(),
    );
    const ticks = this.#repeat(tickMs, this.#drained.signal, () => this.#tick());
    const removals = this.#repeat(removeMs, this.#drained.signal, () => this.#removeOlder());
    const shared = this.#repeat(shareMs, this.#drained.signal, () => this.#alertOfMany());
    while (!this.#drained.signal.aborted) {
      const found = await this.#guarded(() => this.#takeOne());
      if (found !== true) await clock.sleep(lookMs, this.#drained.signal).catch(() => undefined);
    }
    await Promise.all([ticks, removals, checks, shared]);
    await Promise.all(this.#running.values());
    await this.#alerting;
    beating.abort();
    await beats;
    await this.#guarded(() => recordWorkerShutdown(pool, name));
  }

  /** Takes no more jobs and stops the running ones, whose requests in flight finish; other workers continue them. */
  drain(): void {
    this.#drained.abort(new FatalError('interrupted', 'the worker is drained.', { signal: 'SIGTERM' }));
    for (const { giveBack } of this.#running.keys()) giveBack.abort(this.#drained.signal.reason);
  }

  /** Drains the worker, and kills the processes of its jobs. */
  kill(): void {
    this.drain();
    for (const { kill } of this.#running.keys()) kill.abort();
  }

  /** Takes a waiting job if a slot is free; returns true if it took one. */
  async #takeOne(): Promise<boolean> {
    const { queue, name, fleet, log } = this.#context;
    const { notReady, refused } = this.#readiness.state;
    if (notReady !== null || this.#running.size >= this.#options.concurrency) return false;
    const job = await queue.take(name, { mostInAll: fleet.limits.inAll, refused: Object.keys(refused) });
    if (job === undefined) return false;
    log(`${job.workspace}/${job.pipeline}: taken${job.attempt > 1 ? ` (attempt ${job.attempt})` : ''}`);
    const taken = { job, giveBack: new AbortController(), kill: new AbortController(), wait: null };
    if (this.#drained.signal.aborted) taken.giveBack.abort(this.#drained.signal.reason);
    this.#running.set(taken, this.#workOn(taken));
    return true;
  }

  async #workOn(taken: TakenJob): Promise<void> {
    try {
      const { end, verdict, lost, failed } = await runTakenJob(this.#context, taken);
      this.#alert(failed);
      this.#change(() => this.#readiness.ended(taken.job.workspace, end, this.#context.clock.now()));
      this.#options.workerMetrics.ended(taken.job, verdict);
      if (lost) this.#options.workerMetrics.leasesLost += 1;
    } finally {
      this.#running.delete(taken);
    }
  }

  async #beat(): Promise<void> {
    const { pool, name, databaseTime } = this.#context;
    await databaseTime.read(pool, this.#windowMs());
    const jobs = [...this.#running.keys()].map(({ job: { workspace, pipeline }, wait }) => ({
      ...{ workspace, pipeline },
      ...(wait && { wait }),
    }));
    const { notReady, refused } = this.#readiness.state;
    const known = { name, host: this.#options.host, jobs, notReady };
    const { draining, paused } = await saveHeartbeat(pool, {
      ...known,
      refused: refused === this.#reported ? undefined : refused,
    });
    this.#reported = refused;
    if (draining) this.drain();
    for (const { job, giveBack } of this.#running.keys())
      if (paused.includes(job.workspace)) giveBack.abort(new Error('The workspace was paused.'));
  }

  /** Reloads a changed fleet file, and checks this machine. */
  async #checkMachine(): Promise<void> {
    const context = this.#context;
    const { clock } = context;
    const read = await reloadFleetIfChanged(context.fleet);
    if (read.fleet !== undefined && read.fleet !== context.fleet) {
      context.fleet = read.fleet;
      context.log('The fleet file, a pipeline or a mapping has changed: it is used from now on.');
    }
    const found = await checkMachine(context, this.#drained.signal);
    this.#change(() =>
      this.#readiness.found({ ...found, notReady: read.mistake ?? found.notReady }, clock.now()),
    );
  }

  /** Applies a change of readiness, and logs if this machine starts or stops taking jobs. */
  #change(change: () => void): void {
    const before = this.#readiness.state.notReady;
    change();
    const { notReady } = this.#readiness.state;
    if (notReady === before) return;
    this.#context.log(
      notReady === null ? 'This machine takes jobs.' : `This machine takes no job: ${notReady}`,
    );
  }

  /** Returns for how long the database's time must have been steady before a lease or a worker is over (ms). */
  #windowMs(): number {
    const { lease, settle } = this.#context.fleet.limits;
    return lease + settle;
  }

  /** Returns the interval of machine checks (ms): a minute, or two leases if that is shorter. */
  #checkEveryMs(): number {
    return Math.min(mostCheckMs, this.#context.fleet.limits.lease * 2);
  }

  async #tick(): Promise<void> {
    const { pool, queue, fleet, clock, databaseTime } = this.#context;
    await runSchedulerTick(pool, queue);
    const failed: UnrunJob[] = [];
    await queue.failLost(fleet.limits.lease, failed, databaseTime.steadyNow(this.#windowMs()));
    this.#alert(failed);
    this.#alert(await queue.failRefused(refusedLeases * fleet.limits.lease, fleet.limits.lease));
    if (clock.now() - this.#maintainedAt < maintainMs) return;
    this.#maintainedAt = clock.now();
    await queue.maintain();
  }

  /** Sends the alerts about several jobs, and those about jobs that no machine takes. */
  async #alertOfMany(): Promise<void> {
    const context = this.#context;
    const { notReady } = this.#readiness.state;
    const waiting = () => findStalledJobs(context.pool, context.name);
    const busy = notReady === null ? undefined : { reason: notReady, waiting };
    const stall = this.#database ? busy : createDatabaseStall(context.fleet);
    await this.#options.stallAlert.look(context, stall, stallPatienceMs(context.fleet));
    await sendSharedAlerts(context);
  }

  /** Sends the alerts about jobs, one after the other: nothing waits for a receiver that does not answer. */
  #alert(jobs: readonly UnrunJob[]): void {
    for (const job of jobs)
      this.#alerting = this.#alerting
        .then(() => this.#alertOf(job))
        .catch((error: unknown) => this.#context.log(`${nameOf(job)}: no alert was sent: ${textOf(error)}`));
  }

  async #alertOf({ workspace, pipeline, kind, message }: UnrunJob): Promise<void> {
    const { fleet, pool, clock, log, invocation } = this.#context;
    const settings = findNotifySettings(fleet, { workspace, pipeline });
    log(`${nameOf({ workspace, pipeline })}: failed: ${message}`);
    if (settings?.on.includes('failure') !== true) return;
    // Saved already, with this failure.
    const { failures, ...streak } = await readFailures(pool, { workspace, pipeline });
    const earlier = { ...streak, failures: Math.max(0, failures - 1) };
    const reported = toReportedFailure(
      { workspace, notify: settings },
      { exitCode: 2, reason: message },
      true,
    );
    if (isReportedFailure(earlier, reported)) return;
    const at = new Date(clock.now()).toISOString();
    const ended = { kind, outcome: 'failed', exitCode: 2, startedAt: at, finishedAt: at } as const;
    // Typed on any machine: the work dir of this worker is no part of the command.
    const { workDir: _workDir, ...anywhere } = invocation;
    const next = formatCommandLine(['fleet', 'retry', workspace, pipeline], {}, anywhere);
    const of = { workspace, pipeline };
    if (await collectAlert(pool, of, reported, { message, next }, clock.now())) return;
    const failure = { ...ended, pipeline: nameOf(of), message, next };
    const delivered = await sendFleetAlert({ settings, failure, earlier, invocation, log });
    if (delivered !== undefined) await saveSentAlert(pool, of, delivered, reported, clock.now());
  }

  /**
   * Removes the work dirs of this machine that may still have the data of a forgotten person, including those of
   * workspaces without jobs here.
   */
  async #removeOlder(): Promise<void> {
    const { pool, clock, databaseTime, name, workDir, fleet, log } = this.#context;
    const times = { leaseMs: fleet.limits.lease, settleMs: fleet.limits.settle };
    const { signal } = this.#drained;
    const machine = { pool, clock, databaseTime, name, workDir, times, signal };
    try {
      for (const workspace of await removeOutdatedWorkDirs(machine))
        log(`${workspace}: a person was forgotten; the older work dir of this machine was removed`);
    } catch (error) {
      if (signal.aborted) return;
      const detail = error instanceof Error ? error.message : String(error);
      log(`Older work dirs of people who were forgotten could not be removed yet: ${detail}`);
    }
  }

  async #repeat(everyMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await this.#guarded(work);
      await this.#context.clock.sleep(everyMs, signal).catch(() => undefined);
    }
  }

  /**
   * Runs a task that queries the database; logs the first failure, and the first success after it. Returns undefined on
   * failure.
   */
  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      if (!this.#database) this.#context.log('The database answers again.');
      this.#database = true;
      return result;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      if (this.#database) this.#context.log(`The database does not answer: ${detail}`);
      this.#database = false;
      return undefined;
    }
  }
}

/**
 * Returns the given fleet if its file, pipelines and mappings are unchanged, otherwise the reloaded fleet; or the
 * mistake if it cannot be loaded.
 */
export async function reloadFleetIfChanged(
  fleet: Fleet,
): Promise<{ readonly fleet?: Fleet; readonly mistake?: string }> {
  try {
    const bytes = await readFile(fleet.file);
    const same = createHash('sha256').update(bytes).digest('hex') === fleet.fingerprint;
    return { fleet: same && (await hasSameFiles(fleet)) ? fleet : await loadFleet(fleet.file) };
  } catch (error) {
    return {
      mistake: `its fleet file cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

const nameOf = ({ workspace, pipeline }: Pick<UnrunJob, 'workspace' | 'pipeline'>) =>
  `${workspace}/${pipeline}`;

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function hasSameFiles({ assignments }: Fleet): Promise<boolean> {
  const contents = createCachedContentsHasher();
  for (const assigned of assignments)
    if ((await contents(assigned.files)) !== assigned.contents) return false;
  return true;
}
