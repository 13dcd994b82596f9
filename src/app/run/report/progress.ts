import { toSingleLine } from '../../../model/escape-controls.ts';
import type { Clock } from '../../../model/ports.ts';
import { formatCount, formatQuantity } from '../../../report/figures.ts';
import type { RunEvent, RunListener } from '../events.ts';
import { ProgressCounter, type ProgressScreen, showProgress } from './progress-display.ts';
import { formatEventSentence } from './wait-words.ts';

const barPace = 200;
const plainPace = 10_000;

/** The progress display of a run. */
export interface ProgressDisplay {
  readonly listen: RunListener;
  /** Shows the final progress and clears the drawn lines; later events are not shown. */
  stop(): void;
}

/**
 * Shows the progress of a run as the screen's mode requires: as a bar, or as a line every `every` ms and at the end;
 * the start, notes and pauses are printed at once. A timer draws the progress, not each row, so that a row costs next
 * to nothing.
 */
export function startProgressDisplay(options: {
  readonly screen: ProgressScreen;
  readonly clock: Clock;
  /** The time between two updates, in ms; by default 200 for a bar and 10,000 for lines. */
  readonly every?: number | undefined;
}): ProgressDisplay {
  const { screen, clock } = options;
  const every = options.every ?? (screen.mode === 'bar' ? barPace : plainPace);
  const counts = new ProgressCounter();
  const ended = new AbortController();
  const now = () => clock.now();
  let started = false;

  const draw = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(every, ended.signal);
      showProgress(screen, counts.read(clock.now()));
    }
  };
  const begin = () => {
    if (started) return;
    started = true;
    if (screen.mode === 'bar') showProgress(screen, counts.read(clock.now()));
    draw().catch((error: unknown) => {
      if (!ended.signal.aborted) screen.say(`Progress can no longer be shown: ${String(error)}`);
    });
  };
  return {
    listen(event) {
      if (ended.signal.aborted) return;
      counts.take(event, now);
      if (event.kind === 'row' || event.kind === 'underWay') return;
      screen.say(toSingleLine(sentence(event, now())));
      if (event.kind === 'started') begin();
    },
    stop() {
      if (ended.signal.aborted) return;
      ended.abort();
      if (started && screen.mode === 'plain') showProgress(screen, counts.read(clock.now()));
      screen.clear();
    },
  };
}

type Said = Exclude<RunEvent, { kind: 'row' | 'underWay' }>;

function sentence(event: Said, now: number): string {
  switch (event.kind) {
    case 'inspecting':
      return `Reading ${event.name} once, before the first request.`;
    case 'started':
      if (event.only !== undefined) return `${beginning(event.only)} ${rowsLeft(event)}.`;
      return event.continued
        ? `Continuing run ${event.run}: ${formatCount(event.finished)} of ${formatQuantity(event.total, event.of ?? 'row')} are done.`
        : `Run ${event.run}: ${formatQuantity(event.total, event.of ?? 'row')}.`;
    case 'stopping':
      return `Stopping: ${event.reason} Waiting for requests in flight.`;
    default:
      return formatEventSentence(event, now);
  }
}

type Started = Extract<RunEvent, { kind: 'started' }>;

function beginning(only: NonNullable<Started['only']>): string {
  return only === 'planned' ? 'Planning' : 'Rehearsing';
}

function rowsLeft({ total, finished }: Started): string {
  return finished === 0
    ? formatQuantity(total, 'row')
    : `${formatCount(total - finished)} of ${formatQuantity(total, 'row')}; the others are done`;
}
