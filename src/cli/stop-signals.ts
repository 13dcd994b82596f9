import { FatalError, type StopSignal } from '../model/fatal-error.ts';
import { exitCodeOf } from '../runs/exit-code.ts';

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Aborts `stop` at SIGINT, SIGTERM and SIGHUP, so that a run waits for requests in flight and checkpoints; a second
 * SIGINT or SIGTERM ends the process at once. Returns what takes the handlers off again.
 */
export function onStopSignals(stop: AbortController): () => void {
  let asked = false;
  const handlers = signals.map((signal) => {
    const handler = () => {
      if (asked && signal !== 'SIGHUP') process.exit(exitCodeOf('interrupted', signal));
      // A closed terminal sends SIGHUP several times, and systemd beside SIGTERM: nobody asks for haste.
      asked ||= signal !== 'SIGHUP';
      if (!stop.signal.aborted)
        stop.abort(new FatalError('interrupted', `interrupted by ${signal}.`, { signal }));
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
