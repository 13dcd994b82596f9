import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';

/** Stops a run after `limitMs`, where there is a limit; returns what stops the timer. */
export function startTimeLimit(clock: Clock, limitMs: number | undefined, stop: AbortController): () => void {
  const over = new AbortController();
  if (limitMs === undefined) return () => over.abort();
  clock.sleep(limitMs, over.signal).then(
    () =>
      stop.abort(new FatalError('timeout', `the run has reached its time limit of ${limitMs / 1_000} s.`)),
    () => undefined, // the run ended before
  );
  return () => over.abort();
}
