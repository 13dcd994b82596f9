import type { Clock } from '../../model/ports.ts';

interface Timer {
  /** Whole milliseconds since 1970. */
  readonly at: number;
  readonly isUpkeep: boolean;
  readonly fire: () => void;
}

interface SimulatedClockOptions {
  /** The clock of this machine. */
  readonly real: Clock;
  /** The greatest speed, as a multiple of the real clock's; undefined for no limit. */
  readonly speed: number | undefined;
}

/** After this many turns of the event loop in a row without an event, only timers are pending. */
const turnsOfRest = 4;

/** The longest real sleep, in milliseconds, before timers are looked at again. */
const longestNap = 50;

/**
 * A clock that stops during work and jumps over waits, so that it measures the time of the waits alone, however fast
 * this machine is.
 */
export class SimulatedClock implements Clock {
  readonly #real: Clock;
  #speed: number | undefined;
  readonly #startedAt: number;
  readonly #timers = new Set<Timer>();
  #now: number;
  #busy = 0;
  /** A counter of events: timers set and fired, and work begun and ended. */
  #happened = 0;
  #isRunning = false;

  constructor({ real, speed }: SimulatedClockOptions) {
    this.#real = real;
    this.#speed = speed;
    this.#now = real.now();
    this.#startedAt = this.#now;
  }

  now(): number {
    return this.#now;
  }

  /** The milliseconds on this clock since it was created. */
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

  /** Removes the speed limit, so that a requested stop is not delayed. */
  hurry(): void {
    this.#speed = undefined;
  }

  /** Runs `work` while the clock is stopped, so that it takes no time on this clock. */
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

  /** Resolves when only timers are pending, or work has begun. */
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

  /** If the speed limit does not allow this timer to fire yet, sleeps for at most 50 ms and returns true. */
  async #isEarly({ at }: Timer): Promise<boolean> {
    if (this.#speed === undefined) return false;
    const due = this.#startedAt + (at - this.#startedAt) / this.#speed;
    const left = due - this.#real.now();
    if (left <= 0) return false;
    await this.#real.sleep(Math.min(left, longestNap));
    return true;
  }
}
