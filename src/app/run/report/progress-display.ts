import { type Outcome, outcomes } from '../../../model/outcome.ts';
import { canEstimateTimeLeft } from '../../../model/time-left.ts';
import {
  formatConcurrency,
  formatCount,
  formatDuration,
  formatPercent,
  formatQuantity,
  formatRate,
} from '../../../report/figures.ts';
import { rowStateLabels, undoStateLabels } from '../../../report/words.ts';
import type { RunEvent } from '../events.ts';
import { StandstillTracker } from './wait-words.ts';

const rateWindow = 30_000;

/** The progress of a run at one point in time. */
interface Reading {
  /** The counted unit. */
  readonly of: 'row' | 'contact';
  readonly total: number;
  readonly done: number;
  readonly perSecond: number | undefined;
  /** Computed from the remaining count and the recent rate; undefined until the rate is measured well enough. */
  readonly secondsLeft: number | undefined;
  /** The reason for a standstill, where the run pauses or waits. */
  readonly standstill: string | undefined;
  /** Counts in words, such as `1,000 created`, in display order; also rows that wait, and the concurrency. */
  readonly parts: readonly string[];
}

/** Counts the events of a run. Counting a row is one addition; the rest is computed when the progress is read. */
export class ProgressCounter {
  readonly #rate = new RecentRate(rateWindow);
  readonly #counts = new Map<Outcome, number>();
  #of: Reading['of'] = 'row';
  #total = 0;
  #before = 0;
  #done = 0;
  #waiting = 0;
  #concurrency: number | null = null;
  readonly #standstill = new StandstillTracker();

  take(event: RunEvent, now: () => number): void {
    this.#standstill.take(event);
    switch (event.kind) {
      case 'row':
        this.#done += 1;
        this.#counts.set(event.outcome, (this.#counts.get(event.outcome) ?? 0) + 1);
        return;
      case 'underWay':
        this.#waiting = event.waiting;
        this.#concurrency = event.concurrency;
        return;
      case 'started':
        this.#of = event.of ?? 'row';
        this.#total = event.total;
        this.#before = event.finished;
        // A rehearsal has already counted its rows while planning them, so the count starts over.
        this.#done = 0;
        this.#counts.clear();
        this.#rate.restart(now(), this.#done);
        return;
      case 'resumed':
        this.#rate.restart(now(), this.#done);
    }
  }

  read(now: number): Reading {
    const done = this.#before + this.#done;
    this.#rate.sample(now, this.#done);
    const standstill = this.#standstill.text(now);
    const perSecond = standstill === undefined ? this.#rate.perSecond(now, this.#done) : undefined;
    return {
      of: this.#of,
      total: this.#total,
      done,
      perSecond,
      secondsLeft:
        perSecond === undefined || !this.#rate.tellsTimeLeft(now, this.#done)
          ? undefined
          : Math.max(0, this.#total - done) / perSecond,
      standstill,
      parts: this.#parts(),
    };
  }

  #parts(): string[] {
    const parts = Object.entries(this.#of === 'row' ? rowStateLabels : undoStateLabels).flatMap(
      ([state, { label }]) => {
        const n = outcomes.find((outcome) => outcome === state);
        const rows = n === undefined ? 0 : (this.#counts.get(n) ?? 0);
        return rows === 0 ? [] : [`${formatCount(rows)} ${label}`];
      },
    );
    if (this.#before > 0) parts.unshift(`${formatCount(this.#before)} before`);
    if (this.#waiting > 0) parts.push(`${formatCount(this.#waiting)} waiting`);
    if (this.#concurrency !== null) parts.push(formatConcurrency(this.#concurrency));
    return parts;
  }
}

/**
 * Returns `340 rows/s, 3 s left`, or the reason for a standstill. Empty while the rate is unknown; the time left is
 * omitted while it cannot be estimated.
 */
function paceText(reading: Reading): string {
  if (reading.standstill !== undefined) return reading.standstill;
  if (reading.perSecond === undefined) return '';
  const left =
    reading.secondsLeft === undefined || reading.done >= reading.total
      ? ''
      : `, ${formatDuration(Math.ceil(reading.secondsLeft))} left`;
  return `${formatRate(reading.perSecond)} ${reading.of}s/s${left}`;
}

/** Returns the progress on one line of plain text. */
function lineText(reading: Reading): string {
  const head = `${formatCount(reading.done)} of ${formatQuantity(reading.total, reading.of)} (${formatPercent(reading.done, reading.total)})`;
  return [[head, paceText(reading)].filter(Boolean).join(', '), reading.parts.join(', ')]
    .filter(Boolean)
    .join('; ');
}

/** The screen for progress, on standard error; it escapes and colours the texts it is given. */
export interface ProgressScreen {
  /** `bar`: lines are redrawn in place; `plain`: a line now and then; `none`: only messages. */
  readonly mode: 'bar' | 'plain' | 'none';
  /** Prints a permanent message above the drawn lines. */
  say(text: string): void;
  /** Draws these lines below all messages, in place of the lines drawn before. */
  draw(lines: (columns: number) => readonly string[]): void;
  /** Clears the drawn lines. */
  clear(): void;
}

const widestBar = 40;
const narrowestBar = 8;

/** Draws the progress of a run as a bar, or prints it as a line; does nothing in the mode `none`. */
export function showProgress(screen: ProgressScreen, reading: Reading): void {
  if (screen.mode === 'bar')
    screen.draw((columns) => [
      formatProgressBar({ ...reading, pace: paceText(reading) }, columns),
      countText(reading, columns),
    ]);
  else if (screen.mode === 'plain') screen.say(lineText(reading));
}

interface BarReading extends Pick<Reading, 'done' | 'total'> {
  /** The rate, and the time left. */
  readonly pace: string;
}

/**
 * Returns the progress of the run in `width` columns: the bar is shortened first, then left out, then the
 * text is cut.
 */
export function formatProgressBar({ done, total, pace }: BarReading, width: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const figures = [formatPercent(done, total), `${formatCount(done)} of ${formatCount(total)}`, pace].filter(
    Boolean,
  );
  const text = figures.join('  ');
  const room = Math.min(widestBar, width - 2 - text.length);
  if (room < narrowestBar) return cutToWidth(text, width);
  const full = Math.floor(share * room);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}

/** Returns the outcomes of the rows so far, in `width` columns. */
function countText(reading: Reading, width: number): string {
  return cutToWidth(reading.parts.join(', '), width);
}

/** Returns a text cut to fewer than `width` characters: a full line would wrap. */
export function cutToWidth(text: string, width: number): string {
  return text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;
}

/** The rows per second over a sliding window, from at most about 60 samples. */
export class RecentRate {
  readonly #window: number;
  readonly #spacing: number;
  #samples: { readonly at: number; readonly done: number }[] = [];

  /** `window` is in ms. */
  constructor(window: number) {
    this.#window = window;
    this.#spacing = window / 60;
  }

  sample(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < this.#spacing) return;
    this.#samples.push({ at, done });
    // One sample from before the window stays, so that the samples always cover all of it.
    const inside = this.#samples.findIndex((sample) => sample.at > at - this.#window);
    if (inside > 1) this.#samples.splice(0, inside - 1);
  }

  /** Returns the rows per second; undefined until a second has passed and a row has finished. */
  perSecond(at: number, done: number): number | undefined {
    const first = this.#samples[0];
    if (first === undefined || at - first.at < 1_000 || done <= first.done) return undefined;
    return ((done - first.done) * 1_000) / (at - first.at);
  }

  /** Returns true where the rate is reliable enough to estimate the time left. */
  tellsTimeLeft(at: number, done: number): boolean {
    const first = this.#samples[0];
    return first !== undefined && canEstimateTimeLeft(at - first.at, done - first.done);
  }

  /** Starts over, after a pause that must not count as slow. */
  restart(at: number, done: number): void {
    this.#samples = [{ at, done }];
  }
}
