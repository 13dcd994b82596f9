import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Invocation } from '../app/run/command-line.ts';
import type { Screen } from '../app/run/terminal/screen.ts';
import { readLongshoreEnvVariable } from '../app/run/variables.ts';
import {
  createDatabaseStall,
  DatabaseTime,
  defaultFleetFile,
  type Fleet,
  type FleetConnection,
  loadFleet,
  readFleetKey,
  readFleetMetrics,
  StallAlert,
  stallPatienceMs,
  startHealthServer,
  Worker,
  type WorkerContext,
  WorkerMetrics,
  type WorkerState,
  withFleetConnection,
} from '../fleet/index.ts';
import { fleetDatabaseVariable } from '../fleet/variables.ts';
import { systemClock } from '../workspace/index.ts';

/** The flags of `worker`, which `fleet up` has, too. */
export interface WorkerFlags {
  readonly file: string | undefined;
  readonly workDir: string;
  readonly invocation: Invocation;
  readonly concurrency: number | undefined;
  readonly port: number | undefined;
  readonly host: string;
}

/** Runs a worker of a fleet until it has drained, after a signal or `fleet drain`; returns the exit code 0. */
export async function runFleetWorker(flags: WorkerFlags, screen: Screen): Promise<number> {
  const fleet = await loadFleet(flags.file ?? defaultFleetFile);
  // Throws now for a missing key, and not in the first job.
  readFleetKey(process.env);
  // Each process has a different name: a restarted worker must not hold the jobs of the killed one.
  const name = `${hostname()}-${randomBytes(3).toString('hex')}`;
  const concurrency = flags.concurrency ?? fleet.limits.perMachine;
  const workerMetrics = new WorkerMetrics();
  const waiting = {
    name,
    concurrency,
    jobs: 0,
    draining: false,
    database: false,
    notReady: null,
    refused: 0,
  };
  let worker: Worker | undefined;
  const release = onSignals(() => worker, screen);
  let pool: FleetConnection['pool'] | undefined;
  const metrics = async () => {
    if (pool === undefined) throw new Error('The database is not open yet.');
    return await readFleetMetrics(pool);
  };
  const health = await openHealth(flags, () => worker?.now() ?? waiting, workerMetrics, metrics);
  try {
    const stallAlert = new StallAlert();
    const work = async (open: FleetConnection) => {
      ({ pool } = open);
      worker = new Worker(contextOf(name, fleet, open, flags, screen), {
        host: hostname(),
        concurrency,
        workerMetrics,
        stallAlert,
      });
      const where = health === undefined ? '' : `; http://${flags.host}:${health.port}/metrics`;
      screen.line(() => `Worker ${name}: up to ${concurrency} jobs at once${where}`, {
        ...{ name, concurrency, port: health?.port ?? null },
      });
      await worker.run();
    };
    await withFleetConnection(
      readLongshoreEnvVariable(fleetDatabaseVariable),
      work,
      untilThere(fleet, stallAlert, flags, screen),
    );
  } finally {
    await health?.close();
    release();
  }
  screen.note('Drained.');
  return 0;
}

/**
 * Serves health probes on a port, if one is set; they are answered even if the database cannot be reached,
 * because that is no reason to restart a worker.
 */
async function openHealth(
  { host, port }: WorkerFlags,
  now: () => WorkerState,
  workerMetrics: WorkerMetrics,
  fleet: () => Promise<string>,
) {
  return port === undefined ? undefined : await startHealthServer({ host, port }, now, workerMetrics, fleet);
}

/**
 * Returns a function that waits a second after a failed connection to the database. The first failure is reported; an
 * alert is sent once the database has been away for as long as a running worker waits before it sends one.
 */
function untilThere(
  fleet: Fleet,
  stallAlert: StallAlert,
  { invocation }: WorkerFlags,
  screen: Screen,
): (code: string) => Promise<void> {
  const context = { fleet, invocation, clock: systemClock, log: logTo(screen) };
  let tries = 0;
  let alerting = Promise.resolve();
  return async (code) => {
    const hint = `Is it running, and is ${fleetDatabaseVariable} right?`;
    if (tries === 0) context.log(`The database does not answer (${code}); retrying every second. ${hint}`);
    // Once a minute, as a running worker does; the next connection does not wait for the receiver.
    if (tries % 60 === 0)
      alerting = alerting.then(() =>
        stallAlert.look(context, createDatabaseStall(fleet), stallPatienceMs(fleet)),
      );
    tries += 1;
    await systemClock.sleep(1_000);
  };
}

const logTo = (screen: Screen) => (text: string) => screen.note(`${new Date().toISOString()} ${text}`);

function contextOf(
  name: string,
  fleet: Fleet,
  { pool, queue }: FleetConnection,
  { workDir, invocation }: WorkerFlags,
  screen: Screen,
): WorkerContext {
  return {
    ...{ name, fleet, pool, queue, clock: systemClock, databaseTime: new DatabaseTime() },
    workDir: resolve(workDir),
    entry: realpathSync(fileURLToPath(new URL('../../dist/command/job-process.js', import.meta.url))),
    invocation,
    log: logTo(screen),
  };
}

/**
 * Installs signal handlers. The first signal drains the worker, and a second one other than SIGHUP kills its jobs;
 * while the worker still waits for its database, any signal ends the process. Returns a function that removes the
 * handlers.
 */
function onSignals(worker: () => Worker | undefined, screen: Screen): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let asked = false;
  const handler = (signal: (typeof signals)[number]) => {
    const working = worker();
    if (working === undefined) process.exit(0);
    if (asked && signal !== 'SIGHUP') {
      working.kill();
      return;
    }
    if (!asked)
      screen.note(
        'Draining: jobs are given back, requests in flight end. The same signal again ends them at once.',
      );
    asked = true;
    working.drain();
  };
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
