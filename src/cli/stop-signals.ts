import { FatalError } from '../model/fatal-error.ts';

/**
 * Aborts `stop` at SIGINT and SIGTERM, so that a run lets what is on the wire finish and checkpoints; a second signal
 * ends the process at once. Returns what takes the handlers off again.
 */
export function onStopSignals(stop: AbortController): () => void {
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const handler = () => {
      if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
      stop.abort(new FatalError('interrupted', `interrupted by ${signal}.`, { signal }));
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
