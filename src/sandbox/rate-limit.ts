/**
 * How a second is counted: `fixed` from each whole second, `sliding` over the last 1,000 ms, `bucket` by
 * refilled tokens.
 */
export type RateWindow = 'fixed' | 'sliding' | 'bucket';

export type RateVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly limit: number; readonly retryAfter: number };

export interface RateLimiter {
  /** Counts a request on `key` at `now` (milliseconds); refused requests do not count. */
  take(key: string, now: number): RateVerdict;
  /** Returns the number of buckets in memory: those of the last two seconds only. */
  size(): number;
}

interface Bucket {
  touched: number;
  /**
   * Times of the requests, oldest first: of the last 1,000 ms (sliding window), or since the current second of the
   * clock began (fixed window).
   */
  times: number[];
  tokens: number;
}

const second = 1000;

/** Creates a limiter of `rate` requests per second and key (specification: Limits); `off` allows everything. */
export function createRateLimiter(rate: number | 'off', window: RateWindow): RateLimiter {
  if (rate === 'off') return { take: () => ({ allowed: true }), size: () => 0 };
  // In every window, a bucket that was idle for a second equals a new one. So only the buckets of the last two seconds
  // are kept: in two maps, the older of which is dropped as a whole.
  let fresh = new Map<string, Bucket>();
  let aging = new Map<string, Bucket>();
  let turned = Number.NEGATIVE_INFINITY;

  const turn = (now: number): void => {
    if (now - turned < second) return;
    aging = now - turned < 2 * second ? fresh : new Map();
    fresh = new Map();
    turned = now;
  };

  return {
    take(key, now) {
      turn(now);
      const bucket = fresh.get(key) ?? aging.get(key) ?? { touched: now, times: [], tokens: rate };
      const wait = waits[window](bucket, rate, now);
      if (wait > 0) return { allowed: false, limit: rate, retryAfter: Math.max(1, Math.ceil(wait / second)) };
      bucket.touched = now;
      fresh.set(key, bucket);
      aging.delete(key);
      return { allowed: true };
    },
    size: () => fresh.size + aging.size,
  };
}

/**
 * For each window, the function that returns the milliseconds until a request is allowed; if that is 0, it also counts
 * the request.
 */
const waits: Record<RateWindow, (bucket: Bucket, rate: number, now: number) => number> = {
  sliding(bucket, rate, now) {
    bucket.times = bucket.times.filter((time) => time > now - second);
    const oldest = bucket.times[0];
    if (oldest !== undefined && bucket.times.length >= rate) return oldest + second - now;
    bucket.times.push(now);
    return 0;
  },
  fixed(bucket, rate, now) {
    const start = Math.floor(now / second) * second;
    bucket.times = bucket.times.filter((time) => time >= start);
    if (bucket.times.length >= rate) return start + second - now;
    bucket.times.push(now);
    return 0;
  },
  bucket(bucket, rate, now) {
    const tokens = Math.min(rate, bucket.tokens + ((now - bucket.touched) * rate) / second);
    // A rounding error must not cost a token.
    if (tokens < 1 - 1e-6) return ((1 - tokens) * second) / rate;
    bucket.tokens = tokens - 1;
    return 0;
  },
};
