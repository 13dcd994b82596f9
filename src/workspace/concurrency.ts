import type { Clock } from '../model/ports.ts';
import { type AnswerSum, UsualDurations } from './usual-durations.ts';

/**
 * The result of an attempt as a measure of load: answered, failed (no answer, or a server error), or refused with 429.
 */
export type LoadFeedback = 'answered' | 'failed' | 'limited';

/** A bound on the requests in flight at once. */
export interface ConcurrencyLimit {
  /** The present bound. */
  readonly limit: number;
  /**
   * The bound that was found by adapting: what the workspace takes well, or what this machine can use; null before that,
   * and for a fixed one.
   */
  readonly found: number | null;
  /** The highest value that the bound may take. */
  readonly most: number;
  /** Adjusts the bound to a request that has ended. */
  note(request: EndedRequest): void;
}

/**
 * A request that has ended, with its duration (ms) and load; `operation` is any object that identifies the operation.
 */
export interface EndedRequest {
  readonly operation: object;
  readonly bucket: string;
  readonly ms: number;
  readonly burden: LoadFeedback;
  /** The number of requests in flight when it ended, itself included. */
  readonly underWay: number;
  /** The size of the answer (characters). */
  readonly size: number;
}

/** Creates a bound that never changes. */
export function createFixedConcurrencyLimit(limit: number): ConcurrencyLimit {
  return { limit, found: null, most: limit, note: () => undefined };
}

/** The most requests in flight at once: a number, or `auto` to adapt it to the answer times of the workspace. */
export type ConcurrencySetting = number | 'auto';

/** Returns the highest number of requests that are ever in flight at once. */
export function toMaxConcurrency(setting: ConcurrencySetting): number {
  return setting === 'auto' ? most : setting;
}

/** Returns the likely number of requests in flight at once; `found` is the bound that an earlier session found. */
export function estimateConcurrency(setting: ConcurrencySetting, found: number | undefined): number {
  return setting === 'auto' ? (found ?? untried) : setting;
}

/**
 * Returns the likely time (ms) of that many requests, each taking `meanMs` on average. An adaptive bound
 * doubles until it is `found`.
 */
export function estimateDurationOfRequests(
  { requests, meanMs }: { readonly requests: number; readonly meanMs: number },
  setting: ConcurrencySetting,
  found: number = most,
): number {
  if (setting !== 'auto') return (requests * meanMs) / setting;
  let [left, limit, ms] = [requests, first, 0];
  while (limit < found && left > doublesWithin * limit) {
    left -= doublesWithin * limit;
    ms += doublesWithin * meanMs;
    limit *= 2;
  }
  return ms + (left * meanMs) / Math.min(limit, found);
}

/** Creates the bound of a setting: adaptive for `auto`, otherwise fixed. */
export function createConcurrencyLimit(setting: ConcurrencySetting, clock: Clock): ConcurrencyLimit {
  return setting === 'auto' ? new GradientConcurrencyLimit(clock) : createFixedConcurrencyLimit(setting);
}

const first = 32;
/** The time in which the bound doubles at first, in durations of an answer. */
const doublesWithin = 1.5;
const least = 4;
const most = 512;
/** The expected bound of a workspace that was never measured. */
const untried = 128;
/** The most characters of answers in memory at once. */
const mostInMemory = 32 * 1024 * 1024;
/** The slowness up to which the bound grows at first; above the jitter of a network. */
const tolerance = 1.5;
/** The factor by which the bound grows at first: less for a server that is slower already, because it may collapse. */
const growthAt = (slowness: number) => Math.min(2, Math.max(1.2, 1 + (1.2 - slowness) / 0.1));
/**
 * The rise with each answer, as a part of the former bound, until the bound has grown: a server that refuses more shows
 * it before it was sent many more.
 */
const risePerAnswer = 0.1;
/**
 * The slowness up to which the bound grows once it no longer doubles; higher for a window of few answers, whose mean is
 * less certain.
 */
const calmSlowness = (answers: number) => 1 + 0.8 / Math.sqrt(answers);
/** The slowness above which the bound shrinks; also higher for few answers. */
const mostSlowness = (answers: number) => 1.2 + 1.2 / Math.sqrt(answers);
/** The part of the best throughput below which another is clearly lower; smaller for few answers. */
const clearlyLower = (answers: number) => 1 - 0.7 / Math.sqrt(answers);
/** The least number of answers in a window, and in its first half. */
const leastWindow = 32;
const leastHalf = 24;
/** If this many buckets get a 429 in one window, 429 counts as a limit of the whole workspace. */
const limitedBuckets = 3;
const shrink = 0.9;
/** The part of a window in which this thread worked from which more requests would only wait for the thread. */
const saturated = 0.95;
/** The factor by which the best throughput is discounted at each comparison with it, since the server may change. */
const forgets = 0.998;
/** Near the bound of the last refusals, the bound rises by this much times the number of rises since then. */
const care = 0.02;
/** Near the bound above which throughput was lower, the bound rises as fast as elsewhere after this many rises. */
const carefulRises = 12;

/**
 * An adaptive bound like Gradient2 (Netflix, concurrency-limits). The slowness of a window of answers is their mean
 * duration, divided by the usual duration of the same operations under low load. At first the bound doubles while
 * slowness is low, and a growth that makes answers slow is taken back. Later it grows by its square root if slowness is
 * low, and shrinks if slowness is high or throughput was better at a lower bound. Failures, and 429 in several buckets,
 * shrink the bound at once. If fewer requests do not make answers faster, the present durations become the usual ones.
 * Where this thread is busy all the time, the bound does not rise: more requests would only wait for the thread.
 */
export class GradientConcurrencyLimit implements ConcurrencyLimit {
  readonly most: number;
  readonly #clock: Clock;
  readonly #usual = new UsualDurations();
  /** The usual durations of the first half of a window, which are shorter, because quick answers come first. */
  readonly #usualAtHalf = new UsualDurations();
  #limit: number;
  /** The bound to which the present one rises, answer by answer. */
  #goal: number;
  /** The bound before the last growth of the start. */
  #before: number;
  /** The highest bound that memory allows for answers of the size seen. */
  #top: number;
  #starting = true;
  /** The bound that was too high last; infinite before an overload. */
  #tooMany = Number.POSITIVE_INFINITY;
  /** True if the last overload was one of refusals or failures. */
  #wasRefused = false;
  /** How often the bound was raised since the last overload. */
  #calm = 0;
  #changedAt = Number.NEGATIVE_INFINITY;
  #window = emptyWindow();
  /** True if this thread was busy for nearly all of the last window. */
  #isSaturated = false;
  #best = { limit: 0, done: 0 };
  #shrunk: { readonly limit: number; readonly slowness: number } | undefined;

  constructor(clock: Clock, bounds: { readonly first?: number; readonly most?: number } = {}) {
    this.#clock = clock;
    this.most = bounds.most ?? most;
    this.#top = this.most;
    this.#limit = Math.min(this.most, bounds.first ?? first);
    this.#goal = this.#limit;
    this.#before = this.#limit;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get found(): number | null {
    return this.#starting && !this.#isSaturated && this.#limit < this.#top ? null : this.limit;
  }

  note({ operation, bucket, ms, burden, underWay, size }: EndedRequest): void {
    if (burden === 'limited') {
      this.#noteRefusal(bucket);
      return;
    }
    if (burden === 'answered') this.#limit = Math.min(this.#goal, this.#limit + this.#before * risePerAnswer);
    // A request sent before the last change measures the former bound.
    if (this.#clock.now() - ms < this.#changedAt) return;
    const window = this.#window;
    if (window.answered + window.failed === 0) {
      // What this thread did before the first answer says nothing about requests.
      window.begunAt = this.#clock.now();
      window.worked = this.#clock.worked?.() ?? 0;
    }
    window.underWay = Math.max(window.underWay, underWay);
    window.size += size;
    if (burden === 'failed') window.failed += 1;
    else {
      const sum = window.sums.get(operation) ?? { ms: 0, n: 0 };
      sum.ms += ms;
      sum.n += 1;
      window.sums.set(operation, sum);
      window.answered += 1;
    }
    if (window.failed > window.answered / 10 + 1) this.#shrinkAfterFailures();
    else if (window.answered >= Math.max(leastWindow, this.#limit)) this.#close();
    else if (this.#starting && this.#limit === this.#goal) this.#closeEarly();
  }

  /**
   * Lowers the bound by one for each 429, once three buckets have had a 429 in this window. A request that was sent
   * before the bound last changed counts, too, because it was refused all the same. One window lowers the bound to
   * half at most, since a rate limit may refuse all requests.
   */
  #noteRefusal(bucket: string): void {
    const { limited } = this.#window;
    const before = limited.size;
    limited.add(bucket);
    if (limited.size < limitedBuckets) return;
    this.#window.floor ??= Math.max(least, this.#limit / 2);
    const refused = before < limitedBuckets ? limitedBuckets : 1;
    this.#limit = Math.max(this.#window.floor, this.#limit - refused);
    this.#goal = this.#limit;
    this.#noteRefused();
  }

  #shrinkAfterFailures(): void {
    this.#endWindow();
    this.#noteRefused();
    this.#set(this.#limit * shrink);
  }

  #noteRefused(): void {
    this.#starting = false;
    this.#tooMany = this.#limit;
    this.#wasRefused = true;
    this.#calm = 0;
  }

  /**
   * Closes a window of the start before it is full, if its answers suffice: half of them show whether to grow further,
   * and a few slow ones that the last growth was too much.
   */
  #closeEarly(): void {
    const { answered, sums, underWay } = this.#window;
    if (this.#before < this.#limit && answered >= leastWindow && this.#usual.slowness(sums) > tolerance) {
      this.#endWindow();
      this.#starting = false;
      this.#set(this.#before);
      return;
    }
    if (answered !== Math.max(leastHalf, Math.ceil(this.#limit / 2))) return;
    const isFirst = this.#usualAtHalf.isEmpty;
    const slowness = this.#usualAtHalf.slowness(sums);
    this.#usualAtHalf.learn(sums);
    // The first window is read to its end, to learn what is usual for a whole one.
    if (isFirst || slowness > tolerance || !this.#isUsed(underWay)) return;
    this.#endWindow();
    this.#grow(slowness);
  }

  /** Closes a full window and sets the bound for the next one. */
  #close(): void {
    const { answered, sums, underWay } = this.#window;
    const slowness = this.#usual.slowness(sums);
    this.#usual.learn(sums);
    const isUsed = this.#isUsed(underWay);
    this.#endWindow();
    const mostSlow = mostSlowness(answered);
    if (slowness > (this.#starting ? tolerance : mostSlow)) {
      this.#shrink(slowness, mostSlow);
      return;
    }
    this.#shrunk = undefined;
    if (!isUsed || this.#isSaturated) return;
    if (this.#starting) this.#grow(slowness);
    else this.#adjust(slowness, slowness <= calmSlowness(answered));
  }

  /** Returns true if a window used its bound: only then it shows whether a higher bound would be better. */
  #isUsed(underWay: number): boolean {
    return underWay >= this.#limit * 0.8;
  }

  /** Notes what a window says about memory and this thread, and begins the next one. */
  #endWindow(): void {
    const { answered, size, underWay } = this.#window;
    this.#isSaturated = this.#isUsed(underWay) && this.#hasWorkedAllTheTime();
    if (answered > 0) this.#makeRoom(size / answered);
    this.#window = emptyWindow();
  }

  #grow(slowness: number): void {
    if (this.#isSaturated) return;
    this.#before = this.#limit;
    this.#goal = Math.min(this.#top, this.#limit * growthAt(slowness));
    this.#changedAt = this.#clock.now();
  }

  /**
   * Raises the bound, or takes it back if throughput was clearly better at a lower one. Where the workspace refuses,
   * only windows that are not calm are compared: refusals, and not throughput, show that the bound is too high.
   */
  #adjust(slowness: number, isCalm: boolean): void {
    if (!isCalm || !this.#wasRefused) this.#remember(slowness);
    if (isCalm) this.#set(this.#limit + this.#step());
    else if (this.#isPastBest(slowness)) this.#returnToBest();
    else this.#set(this.#limit + Math.min(this.#limit * 0.02, this.#step()));
  }

  #shrink(slowness: number, mostSlow: number): void {
    this.#starting = false;
    if (this.#isNotOurs(slowness)) {
      this.#usual.scale(slowness);
      this.#usualAtHalf.scale(slowness);
      this.#shrunk = undefined;
      this.#tooMany = Number.POSITIVE_INFINITY;
      this.#before = this.#limit;
      this.#starting = true;
      return;
    }
    this.#shrunk ??= { limit: this.#limit, slowness };
    if (this.#isPastBest(slowness)) this.#returnToBest();
    else this.#set(this.#limit * Math.max(0.5, mostSlow / slowness));
  }

  /** Remembers the bound of the best throughput. */
  #remember(slowness: number): void {
    const done = this.#throughput(slowness);
    this.#best.done *= forgets;
    if (done > this.#best.done) this.#best = { limit: this.#limit, done };
  }

  #isPastBest(slowness: number): boolean {
    const { limit, done } = this.#best;
    return this.#limit > limit && this.#throughput(slowness) < done * clearlyLower(this.#limit);
  }

  /** Returns a measure of throughput: the requests under way and the speed of each (Little's law). */
  #throughput(slowness: number): number {
    return this.#limit / slowness;
  }

  #returnToBest(): void {
    this.#tooMany = this.#best.limit;
    this.#calm = 0;
    this.#set(Math.max(this.#limit / 2, this.#best.limit * 0.95));
  }

  /** Limits the bound so that answers of that mean size (characters) fit into memory together. */
  #makeRoom(size: number): void {
    this.#top = Math.min(this.most, Math.max(least, mostInMemory / Math.max(1, size)));
    if (this.#limit > this.#top) this.#set(this.#top);
  }

  /** Returns true if this thread was busy for nearly all the time of the window. */
  #hasWorkedAllTheTime(): boolean {
    const { begunAt, worked } = this.#window;
    const ms = this.#clock.now() - begunAt;
    return ms > 0 && ((this.#clock.worked?.() ?? 0) - worked) / ms > saturated;
  }

  #step(): number {
    this.#calm += 1;
    const step = Math.sqrt(this.#limit);
    const room = this.#tooMany * shrink - this.#limit;
    if (room > 0) return Math.min(step, room);
    const careful = this.#wasRefused ? this.#calm * care : step * (this.#calm / carefulRises) ** 2;
    return Math.min(step, careful);
  }

  /** Returns true if halving the requests has hardly made answers faster: then the slowness has another cause. */
  #isNotOurs(slowness: number): boolean {
    const before = this.#shrunk;
    return before !== undefined && this.#limit <= before.limit / 2 && slowness > before.slowness * 0.8;
  }

  #set(limit: number): void {
    const bounded = Math.min(this.#top, Math.max(least, limit));
    if (Math.floor(bounded) !== this.limit) this.#changedAt = this.#clock.now();
    this.#limit = bounded;
    this.#goal = bounded;
  }
}

interface Window {
  /** The 429 answers of this window do not lower the bound below this; undefined until three buckets had such an answer. */
  floor: number | undefined;
  underWay: number;
  /** The size of all answers together (characters). */
  size: number;
  answered: number;
  failed: number;
  readonly limited: Set<string>;
  readonly sums: Map<object, AnswerSum>;
  /** The time of its first answer, and for how long this thread had worked by then (ms). */
  begunAt: number;
  worked: number;
}

function emptyWindow(): Window {
  return {
    begunAt: 0,
    worked: 0,
    floor: undefined,
    underWay: 0,
    size: 0,
    answered: 0,
    failed: 0,
    limited: new Set(),
    sums: new Map(),
  };
}
