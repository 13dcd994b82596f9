import { FatalError } from '../../model/fatal-error.ts';
import { systemClock } from '../../workspace/index.ts';
import { getFatalReasonExitCode } from '../run/exit-code.ts';
import { getRunOrLatest, withJournal } from '../run/find-run.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { computePauseAfterRead, readPipelineNextSteps } from './look-at-run.ts';
import { formatWatchedRun, formatWatchedRunLine } from './report/watch.ts';
import { readStatusForScreen, type StatusFlags } from './status-command.ts';

/** The time between two reads (ms), by kind of output. */
const paces = { drawn: 1_000, json: 1_000, lines: 5_000 };
/** The silence (ms) after which a run on another machine is considered lost. */
const silenceMs = 60_000;

/** Shows the progress of a run until it ends or is lost; returns its exit code, 1 if it has none, or 0 after Ctrl-C. */
export async function runWatchCommand(flags: StatusFlags, screen: Screen): Promise<number> {
  const { stop, release } = abortOnStopSignals();
  try {
    return await watch(flags, screen, stop.signal);
  } catch (error) {
    if (error instanceof FatalError && error.signal === 'SIGINT') return 0;
    throw error;
  } finally {
    screen.live?.clear();
    release();
  }
}

async function watch(flags: StatusFlags, screen: Screen, signal: AbortSignal): Promise<number> {
  const begun = withJournal(flags.workDir, (file) => getRunOrLatest(file, flags.workDir, flags.run));
  // The run is fixed when watching begins, even if a newer one starts.
  const run = begun.id;
  const ofPipeline = await readPipelineNextSteps(begun);
  const heard = { last: '', at: systemClock.now() };
  for (;;) {
    const lookedAt = systemClock.now();
    const seen = readStatusForScreen({ ...flags, run }, screen, ofPipeline);
    const { status } = seen;
    const now = systemClock.now();
    const sign = status.process?.lastSeenAt ?? '';
    if (sign !== heard.last) Object.assign(heard, { last: sign, at: now });
    const isLost = status.state === 'elsewhere' && now - heard.at >= silenceMs;
    if ((status.state !== 'running' && status.state !== 'elsewhere') || isLost) {
      screen.live?.clear();
      screen.line(seen.text, status);
      return status.exitCode ?? getFatalReasonExitCode('unexpected');
    }
    const { live } = screen;
    if (live === undefined) screen.line(() => formatWatchedRunLine(status, now), status);
    else live.draw((columns) => formatWatchedRun(status, now, columns));
    const pace = screen.json ? paces.json : live === undefined ? paces.lines : paces.drawn;
    await systemClock.sleep(computePauseAfterRead(now - lookedAt, pace), signal);
  }
}
