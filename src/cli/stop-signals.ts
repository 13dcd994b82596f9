import { FatalError, type StopSignal } from '../model/fatal-error.ts';
import { exitCodeOf } from '../runs/exit-code.ts';

const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Aborts `stop` at SIGINT, SIGTERM and SIGHUP, so that a run waits for requests in flight and checkpoints; a second
 * SIGINT or SIGTERM ends the process at once. Returns what takes the handlers off again.
 */
export function onStopSignals(stop: AbortController): () => void {
  const handlers = signals.map((signal) => {
    const handler = () => {
      if (!stop.signal.aborted)
        stop.abort(new FatalError('interrupted', `interrupted by ${signal}.`, { signal }));
      // A terminal that is closed, or systemd, sends SIGHUP once more or beside another signal: nobody asks for haste.
      else if (signal !== 'SIGHUP') process.exit(exitCodeOf('interrupted', signal));
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
