import type { Caller } from '../wiring/caller.ts';
import { printError, printWarning, type Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

/** A command as the caller of a run: it says things on its screen, and signals stop its work. */
export function atScreen(screen: Screen): Caller {
  return {
    note: (text) => screen.note(text),
    warn: printWarning,
    failed: printError,
    async stoppable(work) {
      const stop = new AbortController();
      const release = onStopSignals(stop);
      try {
        return await work(stop);
      } finally {
        release();
      }
    },
  };
}
