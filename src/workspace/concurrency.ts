import type { Clock } from '../model/ports.ts';

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
/** The slowness up to which the bound doubles at first; above the jitter of a network. */
const tolerance = 1.5;
/**
 * The slowness up to which the bound grows once it no longer doubles; higher for a window of few answers, whose mean is
 * less certain.
 */
const calmSlowness = (answers: number) => 1 + 0.8 / Math.sqrt(answers);
/** The slowness above which the bound shrinks; also higher for few answers. */
const mostSlowness = (answers: number) => 1.2 + 1.2 / Math.sqrt(answers);
/** The least number of answers in a window. */
const leastWindow = 32;
/** If this many buckets get a 429 in one window, 429 counts as a limit of the whole workspace. */
const limitedBuckets = 3;
const shrink = 0.9;
/** The part of a window in which this thread worked from which more requests would only wait for the thread. */
const saturated = 0.95;
/** The factor by which the best throughput is discounted at each comparison with it, since the server may change. */
const forgets = 0.998;
/** Near the bound of the last overload, the bound rises by this much times the number of rises since then. */
const care = 0.02;

/**
 * An adaptive bound like Gradient2 (Netflix, concurrency-limits). The slowness of a window of answers is their mean
 * duration, divided by the usual duration of the same operations under low load. At first the bound doubles while
 * slowness is low. Later it grows by its square root if slowness is low, moves towards the best throughput if slowness
 * is a little higher, and shrinks if slowness is much higher. Failures, and 429 in several buckets, shrink the bound at
 * once. If fewer requests do not make answers faster, the present durations become the usual ones. Where this thread is
 * busy all the time, the bound does not rise: more requests would only wait for the thread.
 */
export class GradientConcurrencyLimit implements ConcurrencyLimit {
  readonly most: number;
  readonly #clock: Clock;
  readonly #usual = new Map<object, number>();
  #limit: number;
  /** The highest bound that memory allows for answers of the size seen. */
  #top: number;
  #starting = true;
  /** The bound at the last overload; infinite before the first. */
  #tooMany = Number.POSITIVE_INFINITY;
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
    const isOverloaded = window.failed > window.answered / 10 + 1;
    if (window.answered >= this.#enough() || isOverloaded) this.#close(isOverloaded);
  }

  /** The answers that make a window: as many as may be in flight; half of them are enough to see whether to double. */
  #enough(): number {
    return Math.max(leastWindow, this.#starting ? this.#limit / 2 : this.#limit);
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
    this.#starting = false;
    this.#tooMany = this.#limit;
    this.#calm = 0;
  }

  /** Closes a window of answers and sets the bound for the next one. */
  #close(isOverloaded: boolean): void {
    const window = this.#window;
    const slowness = this.#slowness();
    if (window.answered > 0) this.#makeRoom(window.size / window.answered);
    // A window that used much less than its bound does not show whether a higher bound would be better.
    const isUsed = window.underWay >= this.#limit * 0.8;
    this.#isSaturated = isUsed && this.#hasWorkedAllTheTime();
    this.#window = emptyWindow();
    if (isOverloaded) {
      this.#starting = false;
      this.#tooMany = this.#limit;
      this.#calm = 0;
      this.#set(this.#limit * shrink);
      return;
    }
    const most = mostSlowness(window.answered);
    if (slowness <= (this.#starting ? tolerance : most)) {
      this.#shrunk = undefined;
      // Between calm and too slow the bound stays where throughput was best: a higher load may lower the throughput.
      if (!isUsed || this.#isSaturated) return;
      const isCalm = this.#starting || slowness <= calmSlowness(window.answered);
      this.#set(isCalm ? this.#limit + this.#step() : this.#better(slowness));
      return;
    }
    this.#starting = false;
    if (this.#isNotOurs(slowness)) {
      for (const [operation, usual] of this.#usual) this.#usual.set(operation, usual * slowness);
      this.#shrunk = undefined;
      this.#starting = true;
      return;
    }
    this.#shrunk ??= { limit: this.#limit, slowness };
    this.#set(this.#limit * Math.max(0.5, most / slowness));
  }

  /**
   * Returns a slightly higher bound to try, or, if throughput was clearly better at a lower one, a bound just below
   * that. Throughput is in proportion to the requests under way and to the speed of each (Little's law).
   */
  #better(slowness: number): number {
    const done = this.#limit / slowness;
    const best = this.#best;
    best.done *= forgets;
    if (done > best.done) this.#best = { limit: this.#limit, done };
    else if (this.#limit > best.limit && done < best.done * 0.95) return best.limit * 0.95;
    return this.#limit + Math.min(this.#limit * 0.02, this.#step());
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
    if (this.#starting) return this.#limit;
    const step = Math.sqrt(this.#limit);
    const room = this.#tooMany * shrink - this.#limit;
    return room > 0 ? Math.min(step, room) : Math.min(step, this.#calm * care);
  }

  /** Returns true if halving the requests has hardly made answers faster: then the slowness has another cause. */
  #isNotOurs(slowness: number): boolean {
    const before = this.#shrunk;
    return before !== undefined && this.#limit <= before.limit / 2 && slowness > before.slowness * 0.8;
  }

  /** Returns the factor by which the window's answers took longer than usual, and updates the usual durations. */
  #slowness(): number {
    let weighted = 0;
    let n = 0;
    for (const [operation, sum] of this.#window.sums) {
      const mean = Math.max(1, sum.ms / sum.n);
      const usual = this.#usual.get(operation);
      // A fast window is partly chance: the usual duration moves a third of the way towards it.
      if (usual === undefined) this.#usual.set(operation, mean);
      else if (mean < usual) this.#usual.set(operation, usual + (mean - usual) / 3);
      weighted += (mean / Math.min(mean, usual ?? mean)) * sum.n;
      n += sum.n;
    }
    return n === 0 ? 1 : weighted / n;
  }

  #set(limit: number): void {
    const bounded = Math.min(this.#top, Math.max(least, limit));
    if (Math.floor(bounded) !== this.limit) this.#changedAt = this.#clock.now();
    this.#limit = bounded;
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
  readonly sums: Map<object, { ms: number; n: number }>;
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
