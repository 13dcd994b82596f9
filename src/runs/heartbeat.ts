import type { Clock } from '../model/ports.ts';

/**
 * Calls `beat` every `everyMs` until stopped or until it fails; returns the stop, which calls it once more. A heartbeat
 * only informs: what broke it breaks the next commit, too, and that one says so.
 */
export function startHeartbeat(clock: Clock, everyMs: number, beat: () => void): () => Promise<void> {
  const over = new AbortController();
  const beating = (async () => {
    while (!over.signal.aborted) {
      try {
        await clock.sleep(everyMs, over.signal);
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
    // See above.
  }
}
