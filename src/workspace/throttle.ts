import type { Clock } from '../model/ports.ts';

/** A rate limit: at most `count` requests within `ms` (specification: Limits). */
export interface RequestRate {
  readonly count: number;
  readonly ms: number;
}

/** A slot of a bucket: held by a request in flight, or by one that the workspace may still count. */
export interface ThrottleSlot {
  readonly bucket: Bucket;
  sentAt: number;
  freeAt: number;
  /** True until its request is answered or given up: a late 429 blocks its bucket, which must then still be there. */
  isOpen: boolean;
}

interface Waiter {
  readonly resolve: (slot: ThrottleSlot) => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests of one method and path: in flight, possibly still counted, and waiting. */
interface Bucket {
  slots: ThrottleSlot[];
  waiting: Waiter[] | undefined;
  blockedUntil: number;
  /** The time (ms) when its earliest timer fires. */
  wakeAt: number;
}

/** The least margin (ms) added to the window, for the resolution of two clocks. */
const leastMargin = 10;
const firstMargin = 50;
const mostMargin = 500;
const marginHalvesAfterMs = 60_000;
const sweepEveryMs = 1_000;

/**
 * Paces requests per bucket, first come first served, so that the workspace never counts more requests than the rate
 * allows, whether it uses fixed windows, sliding windows or a token bucket. Only a bucket with waiting requests has a
 * timer; an idle bucket is dropped.
 */
export class Throttle {
  readonly #rate: RequestRate;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #jitter = new JitterGauge();
  #fresh = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();
  #sweeping = false;
  #margin = leastMargin;
  #widenedAt = 0;
  #lastNow = 0;
  #skew = 0;

  /** When the signal is aborted, all waiting calls reject with its reason. */
  constructor(rate: RequestRate, clock: Clock, signal: AbortSignal) {
    this.#rate = rate;
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#rejectAll(signal.reason), { once: true });
  }

  /** The number of buckets in memory. */
  get size(): number {
    return this.#fresh.size + this.#old.size;
  }

  /** Takes a slot of the bucket, at once where one is free; `front` puts the call before those that wait already. */
  take(key: string, front: boolean): ThrottleSlot | Promise<ThrottleSlot> {
    const bucket = this.#find(key);
    if (bucket.waiting === undefined) {
      const slot = this.#free(bucket, this.#now());
      if (slot !== undefined) return slot;
    }
    return new Promise((resolve, reject) => {
      if (this.#signal.aborted) {
        reject(this.#signal.reason);
        return;
      }
      bucket.waiting ??= [];
      if (front) bucket.waiting.unshift({ resolve, reject });
      else bucket.waiting.push({ resolve, reject });
      this.#serve(bucket);
    });
  }

  /** Records that the slot's request is sent now. */
  sent(slot: ThrottleSlot): void {
    slot.sentAt = this.#now();
    // Where the jitter is known, the slot need not wait for a slow answer: by then the request has been counted.
    slot.freeAt = slot.sentAt + this.#jitter.bound(slot.sentAt) + this.#rate.ms + this.#margin;
  }

  /** Records that the slot's request was answered or has failed: by now the workspace has counted it. */
  answered(slot: ThrottleSlot): void {
    const now = this.#now();
    this.#jitter.note(now - slot.sentAt, now);
    slot.isOpen = false;
    slot.freeAt = Math.min(slot.freeAt, now + this.#rate.ms + this.#margin);
    this.#serve(slot.bucket);
  }

  /** Frees the slot of a request that was not sent. */
  giveBack(slot: ThrottleSlot): void {
    slot.freeAt = 0;
    slot.isOpen = false;
    this.#serve(slot.bucket);
  }

  /** Records a 429: blocks the bucket for `waitMs`, or one window, and widens the margin of all buckets. */
  limited(slot: ThrottleSlot, waitMs: number | undefined): void {
    const now = this.#now();
    const bucket = slot.bucket;
    bucket.blockedUntil = Math.max(bucket.blockedUntil, now + (waitMs ?? this.#rate.ms) + this.#margin);
    if (now - this.#widenedAt >= this.#rate.ms) {
      this.#margin = Math.min(mostMargin, Math.max(firstMargin, this.#margin * 2));
      this.#widenedAt = now;
    }
  }

  /**
   * Returns the clock's time, adjusted so that it never goes back: a clock that is set back must not block requests.
   */
  #now(): number {
    const now = this.#clock.now();
    if (now < this.#lastNow) this.#skew += this.#lastNow - now;
    this.#lastNow = now;
    return now + this.#skew;
  }

  #find(key: string): Bucket {
    const known = this.#fresh.get(key);
    if (known !== undefined) return known;
    const bucket = this.#old.get(key) ?? {
      slots: [],
      waiting: undefined,
      blockedUntil: 0,
      wakeAt: Number.POSITIVE_INFINITY,
    };
    this.#old.delete(key);
    this.#fresh.set(key, bucket);
    if (!this.#sweeping) this.#sweepLater();
    return bucket;
  }

  /**
   * Takes a free slot; undefined if there is none. It is a new object, so that a late answer to the slot's former
   * request does not free it.
   */
  #free(bucket: Bucket, now: number): ThrottleSlot | undefined {
    if (bucket.blockedUntil > now) return undefined;
    const slots = bucket.slots;
    let index = 0;
    while (index < slots.length && (slots[index]?.freeAt ?? 0) > now) index += 1;
    if (index >= this.#rate.count) return undefined;
    const slot = { bucket, sentAt: now, freeAt: Number.POSITIVE_INFINITY, isOpen: true };
    // Nearly every bucket has one slot only, and an empty array that is assigned to gets room for 17.
    if (slots.length === 0) bucket.slots = [slot];
    else slots[index] = slot;
    return slot;
  }

  #serve(bucket: Bucket): void {
    const waiting = bucket.waiting;
    if (waiting === undefined) return;
    const now = this.#now();
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const slot = this.#free(bucket, now);
      if (slot === undefined) {
        this.#wakeLater(bucket, now);
        return;
      }
      waiting.shift();
      first.resolve(slot);
    }
    bucket.waiting = undefined;
  }

  #wakeLater(bucket: Bucket, now: number): void {
    let earliest = bucket.slots.length < this.#rate.count ? now : Number.POSITIVE_INFINITY;
    for (const slot of bucket.slots) earliest = Math.min(earliest, slot.freeAt);
    const at = Math.max(earliest, bucket.blockedUntil);
    // A slot in flight sets the timer when its answer arrives.
    if (at === Number.POSITIVE_INFINITY || bucket.wakeAt <= at) return;
    bucket.wakeAt = at;
    this.#clock.sleep(at - now, this.#signal).then(
      () => {
        if (bucket.wakeAt === at) bucket.wakeAt = Number.POSITIVE_INFINITY;
        this.#serve(bucket);
      },
      () => undefined, // stopped: waiters were rejected already
    );
  }

  #sweepLater(): void {
    this.#sweeping = true;
    this.#clock.sleep(sweepEveryMs, this.#signal, 'upkeep').then(
      () => {
        this.#sweep(this.#now());
        if (this.size > 0) this.#sweepLater();
        else this.#sweeping = false;
      },
      () => undefined, // stopped: no slot will be taken
    );
  }

  /** Drops buckets that are idle and were not used since the previous sweep, and halves a margin that is old enough. */
  #sweep(now: number): void {
    const kept = new Map<string, Bucket>();
    for (const [key, bucket] of this.#old) {
      if (isBusy(bucket, now)) kept.set(key, bucket);
    }
    this.#old = this.#fresh;
    this.#fresh = kept;
    if (this.#margin > leastMargin && now - this.#widenedAt >= marginHalvesAfterMs) {
      this.#margin = Math.max(leastMargin, this.#margin / 2);
      this.#widenedAt = now;
    }
  }

  #rejectAll(reason: unknown): void {
    for (const buckets of [this.#fresh, this.#old]) {
      for (const bucket of buckets.values()) {
        const waiting = bucket.waiting ?? [];
        bucket.waiting = undefined;
        for (const waiter of waiting) waiter.reject(reason);
      }
    }
  }
}

function isBusy(bucket: Bucket, now: number): boolean {
  if (bucket.waiting !== undefined || bucket.blockedUntil > now) return true;
  return bucket.slots.some((slot) => slot.isOpen || slot.freeAt > now);
}

/** The least number of answers from which jitter is estimated. */
const enoughAnswers = 20;
const epochMs = 30_000;
/** The factor by which the next answer may exceed the measured jitter. */
const allowance = 1.5;

interface Epoch {
  count: number;
  least: number;
  most: number;
}

/** Measures how much the time from sending to answer varies, over the last half to one minute. */
class JitterGauge {
  #current = emptyEpoch();
  #previous = emptyEpoch();
  #startedAt = 0;

  /** Records an answer that took `ms`. */
  note(ms: number, now: number): void {
    this.#turn(now);
    const epoch = this.#current;
    epoch.count += 1;
    if (ms < epoch.least) epoch.least = ms;
    if (ms > epoch.most) epoch.most = ms;
  }

  /** Returns how much longer (ms) one request may take to the server than another; Infinity below 20 answers. */
  bound(now: number): number {
    this.#turn(now);
    const { count, least, most } = this.#previous;
    if (count + this.#current.count < enoughAnswers) return Number.POSITIVE_INFINITY;
    return allowance * (Math.max(most, this.#current.most) - Math.min(least, this.#current.least));
  }

  #turn(now: number): void {
    if (now - this.#startedAt < epochMs) return;
    this.#previous = now - this.#startedAt < 2 * epochMs ? this.#current : emptyEpoch();
    this.#current = emptyEpoch();
    this.#startedAt = now;
  }
}

function emptyEpoch(): Epoch {
  return { count: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
}
