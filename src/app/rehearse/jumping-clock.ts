import type { Clock } from '../../model/ports.ts';

interface Timer {
  /** Whole milliseconds since 1970. */
  readonly at: number;
  readonly isUpkeep: boolean;
  readonly fire: () => void;
}

interface JumpingClockOptions {
  /** The clock of this machine. */
  readonly real: Clock;
  /** How many times faster than the real one it runs at the most; undefined for as fast as it can. */
  readonly speed: number | undefined;
}

/** A turn of the event loop may be all that lies between an answer and the next request: this many in a row are rest. */
const turnsOfRest = 4;

/** The longest look away from what may have changed meanwhile. */
const longestNap = 50;

/**
 * A clock that stands still while something is done and jumps over waits: what it shows between two events is what the
 * waits between them take, however fast this machine is.
 */
export class JumpingClock implements Clock {
  readonly #real: Clock;
  #speed: number | undefined;
  readonly #startedAt: number;
  readonly #timers = new Set<Timer>();
  #now: number;
  #busy = 0;
  /** Grows with whatever happens. */
  #happened = 0;
  #isRunning = false;

  constructor({ real, speed }: JumpingClockOptions) {
    this.#real = real;
    this.#speed = speed;
    this.#now = real.now();
    this.#startedAt = this.#now;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since it was made. */
  get elapsed(): number {
    return this.#now - this.#startedAt;
  }

  sleep(ms: number, signal?: AbortSignal, purpose?: 'upkeep'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = () => {
        this.#timers.delete(timer);
        reject(signal?.reason);
      };
      const timer: Timer = {
        at: this.#now + Math.max(0, Math.ceil(ms)),
        isUpkeep: purpose === 'upkeep',
        fire() {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#timers.add(timer);
      this.#wake();
    });
  }

  /** From now on it runs as fast as it can: nobody waits for a pace when a stop was asked for. */
  hurry(): void {
    this.#speed = undefined;
  }

  /** Does work that takes no time by this clock: it stands still meanwhile. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    this.#happened += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      this.#wake();
    }
  }

  #wake(): void {
    this.#happened += 1;
    if (this.#isRunning || this.#busy > 0) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#rest();
      const next = this.#busy === 0 && this.#isAwaited() ? this.#earliest() : undefined;
      if (next === undefined) {
        this.#isRunning = false;
        return;
      }
      if (await this.#isEarly(next)) continue;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      this.#happened += 1;
      next.fire();
    }
  }

  /** Resolves when nothing happens of itself any more, or something is being done. */
  async #rest(): Promise<void> {
    for (let turns = 0, seen = this.#happened; turns < turnsOfRest && this.#busy === 0; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#happened === seen) continue;
      seen = this.#happened;
      turns = -1;
    }
  }

  #isAwaited(): boolean {
    for (const { isUpkeep } of this.#timers) if (!isUpkeep) return true;
    return false;
  }

  #earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) if (earliest === undefined || timer.at < earliest.at) earliest = timer;
    return earliest;
  }

  /** Whether the pace leaves time until then: some of it has passed when this resolves. */
  async #isEarly({ at }: Timer): Promise<boolean> {
    if (this.#speed === undefined) return false;
    const due = this.#startedAt + (at - this.#startedAt) / this.#speed;
    const left = due - this.#real.now();
    if (left <= 0) return false;
    await this.#real.sleep(Math.min(left, longestNap));
    return true;
  }
}
