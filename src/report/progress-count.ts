import type { Outcome } from '../model/outcome.ts';
import { outcomes } from '../model/outcome.ts';
import type { RunEvent } from '../runs/events.ts';
import { count, counted, duration, percent, rate } from './figures.ts';
import { rowStates } from './outcome-words.ts';
import { RecentRate } from './recent-rate.ts';
import { Standstill } from './wait-words.ts';

const rateWindow = 30_000;

/** Where a run stands at one moment. */
export interface Reading {
  readonly total: number;
  readonly done: number;
  readonly perSecond: number | undefined;
  /** From what is left and the rate lately; undefined until there is a rate. */
  readonly secondsLeft: number | undefined;
  /** Why nothing moves, where the run pauses or waits. */
  readonly standstill: string | undefined;
  /** `1,000 created`, in the order in which outcomes are shown. */
  readonly parts: readonly string[];
}

/** Counts what a run tells; counting a row costs an addition, everything else happens when somebody looks. */
export class ProgressCount {
  readonly #rate = new RecentRate(rateWindow);
  readonly #counts = new Map<Outcome, number>(outcomes.map((outcome) => [outcome, 0]));
  #total = 0;
  #before = 0;
  #done = 0;
  #waiting = 0;
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
        return;
      case 'started':
        this.#total = event.total;
        this.#before = event.finished;
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
      total: this.#total,
      done,
      perSecond,
      secondsLeft: perSecond === undefined ? undefined : Math.max(0, this.#total - done) / perSecond,
      standstill,
      parts: this.#parts(),
    };
  }

  #parts(): string[] {
    const parts = Object.entries(rowStates).flatMap(([state, { label }]) => {
      const n = outcomes.find((outcome) => outcome === state);
      const rows = n === undefined ? 0 : (this.#counts.get(n) ?? 0);
      return rows === 0 ? [] : [`${count(rows)} ${label}`];
    });
    if (this.#before > 0) parts.unshift(`${count(this.#before)} before`);
    if (this.#waiting > 0) parts.push(`${count(this.#waiting)} waiting`);
    return parts;
  }
}

/** `340 rows/s, 3 s left`, or why nothing moves; empty until there is a rate. */
export function paceText(reading: Reading): string {
  if (reading.standstill !== undefined) return reading.standstill;
  if (reading.perSecond === undefined) return '';
  const left =
    reading.secondsLeft === undefined || reading.done >= reading.total
      ? ''
      : `, ${duration(Math.ceil(reading.secondsLeft))} left`;
  return `${rate(reading.perSecond)} rows/s${left}`;
}

/** The whole reading on one line of plain text. */
export function lineText(reading: Reading): string {
  const head = `${count(reading.done)} of ${counted(reading.total, 'row')} (${percent(reading.done, reading.total)})`;
  return [[head, paceText(reading)].filter(Boolean).join(', '), reading.parts.join(', ')]
    .filter(Boolean)
    .join('; ');
}
