import { z } from 'zod';
import { canEstimateTimeLeft } from '../model/time-left.ts';
import { tryParseJson } from '../storage/json.ts';

const samples = z.array(z.tuple([z.number(), z.number(), z.number()]));

/**
 * The progress of a session at one time: ms since it began, rows or records done, and ms waited for the rate
 * limit by all requests together.
 */
export interface PaceSample {
  readonly at: number;
  readonly done: number;
  readonly waitedMs: number;
}

/** Parses the stored samples of a session; returns an empty array for null and for JSON that is not valid. */
export function parsePaceSamples(json: string | null): PaceSample[] {
  const read = json === null ? [] : (tryParseJson(json, samples) ?? []);
  return read.map(([at, done, waitedMs]) => ({ at, done, waitedMs }));
}

const mostKept = 120;
const latelyMs = 30_000;
const leastMeasuredMs = 1_000;

/**
 * Keeps samples of a session's progress: at most 120 of them evenly over the whole session, and every one of the last
 * half minute.
 */
export class PaceRecorder {
  #kept: PaceSample[] = [{ at: 0, done: 0, waitedMs: 0 }];
  #lately: PaceSample[] = [{ at: 0, done: 0, waitedMs: 0 }];
  #spacing = 1_000;

  note(sample: PaceSample): void {
    this.#lately.push(sample);
    // One sample from before the last half minute is kept, so that the samples always cover all of it.
    const inside = this.#lately.findIndex(({ at }) => at > sample.at - latelyMs);
    if (inside > 1) this.#lately.splice(0, inside - 1);
    const last = this.#kept.at(-1);
    if (last !== undefined && sample.at - last.at < this.#spacing) return;
    this.#kept.push(sample);
    if (this.#kept.length < mostKept) return;
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0);
    this.#spacing *= 2;
  }

  /** Returns the items done per second over the last half minute; null while the samples cover less than a second. */
  perSecond(): number | null {
    const first = this.#lately[0];
    const last = this.#lately.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < leastMeasuredMs) return null;
    return ((last.done - first.done) * 1_000) / (last.at - first.at);
  }

  /** Returns true if the samples of the last half minute cover enough time and rows to estimate the time left. */
  tellsTimeLeft(): boolean {
    const first = this.#lately[0];
    const last = this.#lately.at(-1);
    if (first === undefined || last === undefined) return false;
    return canEstimateTimeLeft(last.at - first.at, last.done - first.done);
  }

  /** Returns the samples as JSON for the journal, with the latest sample at its end. */
  toJson(): string {
    const latest = this.#lately.at(-1);
    const isKept = latest === undefined || latest === this.#kept.at(-1);
    const all = isKept ? this.#kept : [...this.#kept, latest];
    return JSON.stringify(all.map(({ at, done, waitedMs }) => [at, done, waitedMs]));
  }
}
