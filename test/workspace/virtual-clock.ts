import type { Clock } from '../../src/model/ports.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** A clock that stands still until it is told to run: the same timers always fire in the same order. */
export class VirtualClock implements Clock {
  #time = 1_700_000_000_000;
  #order = 0;
  readonly #timers = new Set<Timer>();

  /** Whole milliseconds, as a machine's clock gives them. */
  now(): number {
    return Math.floor(this.#time);
  }

  /** With its fraction, for the far side of a simulation. */
  get exact(): number {
    return this.#time;
  }

  get timers(): number {
    return this.#timers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = () => {
        this.#timers.delete(timer);
        reject(signal?.reason);
      };
      this.#order += 1;
      const fire = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer: Timer = { at: this.#time + Math.max(0, ms), order: this.#order, fire };
      this.#timers.add(timer);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Lets time pass, timer by timer, until the promise is settled; gives what it gives. */
  async run<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false };
    const watched = promise.finally(() => {
      state.settled = true;
    });
    watched.catch(() => undefined);
    for (;;) {
      await quiet();
      if (state.settled) return watched;
      if (!this.#fireNext(Number.POSITIVE_INFINITY)) throw new Error('nothing is left to wait for');
    }
  }

  /** Lets that much time pass, timer by timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#time + ms;
    await quiet();
    while (this.#fireNext(end)) await quiet();
    this.#time = end;
    await quiet();
  }

  /** Sets the clock, as a person or a time server does: no timer fires for it. */
  jump(ms: number): void {
    for (const timer of [...this.#timers]) {
      this.#timers.delete(timer);
      this.#timers.add({ ...timer, at: timer.at + ms });
    }
    this.#time += ms;
  }

  #fireNext(end: number): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) {
        next = timer;
      }
    }
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#time = Math.max(this.#time, next.at);
    next.fire();
    return true;
  }
}

/** Everything that needs no time has happened. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
