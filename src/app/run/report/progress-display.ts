import { type Outcome, outcomes } from '../../../model/outcome.ts';
import { tellsTimeLeft } from '../../../model/time-left.ts';
import { atOnceText, count, counted, duration, percent, rate } from '../../../report/figures.ts';
import { rowStates, undoStates } from '../../../report/words.ts';
import type { RunEvent } from '../events.ts';
import { Standstill } from './wait-words.ts';

const rateWindow = 30_000;

/** Where a run stands at one time. */
interface Reading {
  /** What is counted. */
  readonly of: 'row' | 'contact';
  readonly total: number;
  readonly done: number;
  readonly perSecond: number | undefined;
  /** From what is left and the rate lately; undefined until that is measured well enough. */
  readonly secondsLeft: number | undefined;
  /** Why nothing moves, where the run pauses or waits. */
  readonly standstill: string | undefined;
  /** `1,000 created`, in the order in which outcomes are shown. */
  readonly parts: readonly string[];
}

/** Counts what a run tells; counting a row costs an addition, everything else happens when somebody looks. */
export class ProgressCount {
  readonly #rate = new RecentRate(rateWindow);
  readonly #counts = new Map<Outcome, number>();
  #of: Reading['of'] = 'row';
  #total = 0;
  #before = 0;
  #done = 0;
  #waiting = 0;
  #concurrency: number | null = null;
  readonly #standstill = new Standstill();

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
        // Whoever rehearses rows has planned them before.
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
    const parts = Object.entries(this.#of === 'row' ? rowStates : undoStates).flatMap(
      ([state, { label }]) => {
        const n = outcomes.find((outcome) => outcome === state);
        const rows = n === undefined ? 0 : (this.#counts.get(n) ?? 0);
        return rows === 0 ? [] : [`${count(rows)} ${label}`];
      },
    );
    if (this.#before > 0) parts.unshift(`${count(this.#before)} before`);
    if (this.#waiting > 0) parts.push(`${count(this.#waiting)} waiting`);
    if (this.#concurrency !== null) parts.push(atOnceText(this.#concurrency));
    return parts;
  }
}

/** `340 rows/s, 3 s left`, or why nothing moves; empty until there is a rate, and without a time left that means nothing yet. */
function paceText(reading: Reading): string {
  if (reading.standstill !== undefined) return reading.standstill;
  if (reading.perSecond === undefined) return '';
  const left =
    reading.secondsLeft === undefined || reading.done >= reading.total
      ? ''
      : `, ${duration(Math.ceil(reading.secondsLeft))} left`;
  return `${rate(reading.perSecond)} ${reading.of}s/s${left}`;
}

/** The whole reading on one line of plain text. */
function lineText(reading: Reading): string {
  const head = `${count(reading.done)} of ${counted(reading.total, reading.of)} (${percent(reading.done, reading.total)})`;
  return [[head, paceText(reading)].filter(Boolean).join(', '), reading.parts.join(', ')]
    .filter(Boolean)
    .join('; ');
}

/** Where progress is seen: standard error, which escapes and colours what it is given. */
export interface ProgressScreen {
  /** `bar`: lines are drawn over; `plain`: a line now and then; `none`: only what is said. */
  readonly mode: 'bar' | 'plain' | 'none';
  /** Says something for good, above what is drawn. */
  say(text: string): void;
  /** Draws these lines below everything that was said, in place of those that were drawn before. */
  draw(lines: (columns: number) => readonly string[]): void;
  /** Takes away what is drawn. */
  clear(): void;
}

const widestBar = 40;
const narrowestBar = 8;

/** Shows where a run stands. */
export function showReading(screen: ProgressScreen, reading: Reading): void {
  if (screen.mode === 'bar')
    screen.draw((columns) => [
      barText({ ...reading, pace: paceText(reading) }, columns),
      countText(reading, columns),
    ]);
  else if (screen.mode === 'plain') screen.say(lineText(reading));
}

interface BarReading extends Pick<Reading, 'done' | 'total'> {
  /** How fast, and how long it will take. */
  readonly pace: string;
}

/** How far the run is, in `width` columns: the bar gives way first, then the pace. */
export function barText({ done, total, pace }: BarReading, width: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const figures = [percent(done, total), `${count(done)} of ${count(total)}`, pace].filter(Boolean);
  const text = figures.join('  ');
  const room = Math.min(widestBar, width - 2 - text.length);
  if (room < narrowestBar) return cut(text, width);
  const full = Math.floor(share * room);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}

/** What became of the rows so far, in `width` columns. */
function countText(reading: Reading, width: number): string {
  return cut(reading.parts.join(', '), width);
}

/** A text that stays on one line of `width` columns. */
export function cut(text: string, width: number): string {
  return text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;
}

/** Rows per second over the last while, from samples taken now and then; memory is bounded by the window. */
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

  /** Undefined until there is something to measure: a second of work, and a row done in it. */
  perSecond(at: number, done: number): number | undefined {
    const first = this.#samples[0];
    if (first === undefined || at - first.at < 1_000 || done <= first.done) return undefined;
    return ((done - first.done) * 1_000) / (at - first.at);
  }

  /** Whether the rate tells how long the rest takes. */
  tellsTimeLeft(at: number, done: number): boolean {
    const first = this.#samples[0];
    return first !== undefined && tellsTimeLeft(at - first.at, done - first.done);
  }

  /** Starts over, after a pause that must not count as slowness. */
  restart(at: number, done: number): void {
    this.#samples = [{ at, done }];
  }
}
