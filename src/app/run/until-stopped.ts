import type { NamedLock, RunJournal, SessionHeartbeat } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import type { Workspace } from '../../workspace/index.ts';
import { toFatalError } from './as-fatal.ts';

/** The time that requests in flight may take to finish after a stop: the command itself must end within ten seconds. */
const graceMs = 8_000;

const beatMs = 1_000;

/** What a run works with: clock, stop signal, workspace, lock, journal, time limit and heartbeat. */
interface Surroundings {
  readonly clock: Clock;
  readonly stop: AbortController;
  readonly workspace: Pick<
    Workspace,
    'requests' | 'waitsFor' | 'whyStopped' | 'perPath' | 'concurrencyFound' | 'close'
  >;
  readonly lock: NamedLock;
  readonly journal: Pick<RunJournal, 'beat'>;
  /** Milliseconds the run may take; undefined for no limit. */
  readonly timeout: number | undefined;
  /** Called at each heartbeat; returns the work in progress. */
  readonly beat: () => Pick<SessionHeartbeat, 'active' | 'waiting' | 'fetched' | 'waitsFor'>;
  readonly stopping: (reason: string) => void;
}

/**
 * Runs `work` with a heartbeat and the run's time limit, then closes the workspace; after a stop, requests in
 * flight have 8 s to finish. Returns the error that stopped the run; undefined if the work was completed.
 */
export async function runUntilDoneOrStopped(
  { clock, stop, workspace, lock, journal, timeout, beat, stopping }: Surroundings,
  work: () => Promise<void>,
): Promise<FatalError | undefined> {
  const stopBeat = startHeartbeat(clock, beatMs, () => {
    lock.beat();
    const requests = workspace.requests();
    const waitsFor = workspace.waitsFor();
    const waitedMs = Object.values(requests).reduce((sum, { timing }) => sum + timing.waitedMs, 0);
    const { perPath } = workspace;
    const concurrency = workspace.concurrencyFound();
    journal.beat(requests, { ...beat(), ...(waitsFor && { waitsFor }), perPath, concurrency, waitedMs });
  });
  const closeWhenStopped = () => void workspace.close(graceMs);
  stop.signal.addEventListener('abort', closeWhenStopped, { once: true });
  const stopTimer = startTimeLimit(clock, timeout, stop);
  let error: FatalError | undefined;
  try {
    await work();
  } catch (thrown) {
    error = toFatalError(workspace.whyStopped(thrown));
    if (!stop.signal.aborted) stop.abort(error);
    stopping(error.message);
  }
  stopTimer();
  stop.signal.removeEventListener('abort', closeWhenStopped);
  await workspace.close(graceMs);
  await stopBeat();
  return error;
}

/** Stops a run after `limitMs`, where there is a limit; returns a function that stops the timer. */
function startTimeLimit(clock: Clock, limitMs: number | undefined, stop: AbortController): () => void {
  const over = new AbortController();
  if (limitMs === undefined) return () => over.abort();
  clock.sleep(limitMs, over.signal, 'upkeep').then(
    () =>
      stop.abort(new FatalError('timeout', `the run has reached its time limit of ${limitMs / 1_000} s.`)),
    () => undefined, // The run ended within its limit.
  );
  return () => over.abort();
}

/**
 * Calls `beat` every `everyMs` until a call fails; returns a function that stops this and, if no call failed,
 * calls `beat` once more. Errors of `beat` are dropped: what breaks a heartbeat also breaks the next commit,
 * which reports it.
 */
export function startHeartbeat(clock: Clock, everyMs: number, beat: () => void): () => Promise<void> {
  const over = new AbortController();
  const beating = (async () => {
    while (!over.signal.aborted) {
      try {
        await clock.sleep(everyMs, over.signal, 'upkeep');
      } catch (error) {
        if (!over.signal.aborted) throw error;
        return;
      }
      beat();
    }
  })().then(
    () => true,
    () => false,
  );
  return async () => {
    over.abort();
    if (await beating) attempt(beat);
  };
}

function attempt(beat: () => void): void {
  try {
    beat();
  } catch {
    // A heartbeat only informs; see `startHeartbeat`.
  }
}
