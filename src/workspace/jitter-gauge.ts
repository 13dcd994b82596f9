/** Fewer answers than this say nothing about how late a request can be. */
const enough = 20;
const epochMs = 30_000;
/** The next answer may be slower than the slowest seen. */
const allowance = 1.5;

interface Epoch {
  count: number;
  least: number;
  most: number;
}

/** Watches how much the time from sending to answer varies, over the last half to one minute. */
export class JitterGauge {
  #current = emptyEpoch();
  #previous = emptyEpoch();
  #startedAt = 0;

  /** Notes an answer that took `ms`. */
  note(ms: number, now: number): void {
    this.#turn(now);
    const epoch = this.#current;
    epoch.count += 1;
    if (ms < epoch.least) epoch.least = ms;
    if (ms > epoch.most) epoch.most = ms;
  }

  /** Milliseconds by which one request may reach the server later than another; infinite while too little was seen. */
  bound(now: number): number {
    this.#turn(now);
    const { count, least, most } = this.#previous;
    if (count + this.#current.count < enough) return Number.POSITIVE_INFINITY;
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
