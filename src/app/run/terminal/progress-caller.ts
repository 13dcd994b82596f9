import { systemClock } from '../../../workspace/index.ts';
import type { ClientEvent, CommandCallbacks } from '../caller.ts';
import type { RunEvent } from '../events.ts';
import { startProgressDisplay } from '../report/progress.ts';
import { printWarning, type Screen } from './screen.ts';
import { abortOnStopSignals } from './stop-signals.ts';

/** The callbacks of a plan or a rehearsal: they show its events until `done` clears the progress. */
export interface ProgressCallbacks extends CommandCallbacks {
  listen(event: RunEvent | ClientEvent): void;
  done(): void;
}

/**
 * Returns callbacks that show the progress of planning or rehearsing on the screen; stop signals abort the
 * work.
 */
export function createProgressCallbacks(screen: Screen): ProgressCallbacks {
  const progress = screen.progress && startProgressDisplay({ screen: screen.progress, clock: systemClock });
  return {
    note: (text) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
    listen: (event) => progress?.listen(event),
    done: () => progress?.stop(),
  };
}
