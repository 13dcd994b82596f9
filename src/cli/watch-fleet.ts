import type { Pool } from 'pg';
import { fleetStatus } from '../fleet/control/status.ts';
import { renderFleetStatus, statusLine } from '../fleet/control/status-text.ts';
import { FatalError } from '../model/fatal-error.ts';
import { systemClock } from '../workspace/index.ts';
import type { Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';

const paceMs = 2_000;
/** Lines of assignments that a terminal has room for, whatever its height is. */
const drawn = 15;

/** Shows how the fleet stands until somebody stops watching with Ctrl-C. */
export async function watchFleet(pool: Pool, screen: Screen): Promise<number> {
  const { stop, release } = onStopSignals();
  const { live } = screen;
  try {
    for (;;) {
      const found = await fleetStatus(pool);
      if (live === undefined) screen.line(() => statusLine(found), found);
      else {
        const lines = renderFleetStatus(found, { colour: false, all: false, most: drawn })
          .trimEnd()
          .split('\n');
        live.draw((columns) => lines.map((line) => line.slice(0, columns - 1)));
      }
      await systemClock.sleep(paceMs, stop.signal);
    }
  } catch (error) {
    if (error instanceof FatalError && error.signal === 'SIGINT') return 0;
    throw error;
  } finally {
    live?.clear();
    release();
  }
}
