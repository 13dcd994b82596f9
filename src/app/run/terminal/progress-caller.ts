import { systemClock } from '../../../workspace/index.ts';
import type { Caller, ClientEvent } from '../caller.ts';
import type { RunEvent } from '../events.ts';
import { startProgressDisplay } from '../report/progress.ts';
import { printWarning, type Screen } from './screen.ts';
import { abortOnStopSignals } from './stop-signals.ts';

/** The caller of a command that sends nothing: shows its events until `done` clears the progress. */
export interface ProgressCaller extends Caller {
  listen(event: RunEvent | ClientEvent): void;
  done(): void;
}

/** Shows the progress of planning or rehearsing rows; signals stop it. */
export function createProgressCaller(screen: Screen): ProgressCaller {
  const progress = screen.progress && startProgressDisplay({ screen: screen.progress, clock: systemClock });
  return {
    note: (text) => screen.note(text),
    warn: printWarning,
    stoppable: abortOnStopSignals,
    listen: (event) => progress?.listen(event),
    done: () => progress?.stop(),
  };
}
