import { FatalError, type StopSignal } from '../../../model/fatal-error.ts';
import { getFatalReasonExitCode } from '../exit-code.ts';

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Returns a controller that SIGINT, SIGTERM and SIGHUP abort until it is released, so that a run finishes its requests
 * in flight and checkpoints; a second SIGINT or SIGTERM ends the process at once.
 */
export function abortOnStopSignals(): { readonly stop: AbortController; release(): void } {
  const stop = new AbortController();
  let asked = false;
  const handler = (signal: StopSignal) => {
    if (asked && signal !== 'SIGHUP') process.exit(getFatalReasonExitCode('interrupted', signal));
    // A closed terminal sends SIGHUP several times, and systemd may send it with SIGTERM: neither is a
    // request to end at once.
    asked ||= signal !== 'SIGHUP';
    if (!stop.signal.aborted)
      stop.abort(new FatalError('interrupted', `interrupted by ${signal}.`, { signal }));
  };
  for (const signal of signals) process.on(signal, handler);
  return {
    stop,
    release() {
      for (const signal of signals) process.off(signal, handler);
    },
  };
}
