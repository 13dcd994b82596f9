import type { Invocation } from '../app/run/command-line.ts';
import type { Screen } from '../app/run/terminal/screen.ts';
import { abortOnStopSignals } from '../app/run/terminal/stop-signals.ts';
import { formatFleetStatusLine, pollFleetStatus, renderFleetStatus, toFleetStatus } from '../fleet/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { systemClock } from '../workspace/index.ts';

/** The number of lines drawn, which fit a terminal of 24 lines, and the maximum number of assignments among them. */
const drawn = 23;
const assignments = 10;

/** Shows the status of a fleet until Ctrl-C, and then returns the exit code 0; other stop signals throw. */
export async function watchFleet(
  url: string | undefined,
  invocation: Invocation,
  screen: Screen,
): Promise<number> {
  const { stop, release } = abortOnStopSignals();
  const { live } = screen;
  try {
    for await (const seen of pollFleetStatus(url, systemClock, stop.signal)) {
      const found = toFleetStatus(seen, invocation);
      if (live === undefined) screen.line(() => formatFleetStatusLine(found), found);
      else {
        const text = renderFleetStatus(found, { colour: false, all: false, most: assignments, invocation });
        const lines = text.trimEnd().split('\n');
        live.draw((columns) =>
          Array.from({ length: drawn }, (_, line) => (lines[line] ?? '').slice(0, columns - 1)),
        );
      }
    }
    return 0;
  } catch (error) {
    if (error instanceof FatalError && error.signal === 'SIGINT') return 0;
    throw error;
  } finally {
    live?.clear();
    release();
  }
}
