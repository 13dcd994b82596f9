import type { Clock } from '../../../../src/model/ports.ts';

/** One process from its start to its end or its death; what a dead one still does reaches nobody. */
export class Life {
  dead = false;
  readonly #deaths: (() => void)[] = [];

  /** Called at the moment of death. */
  onDeath(end: () => void): void {
    this.#deaths.push(end);
  }

  die(): void {
    if (this.dead) return;
    this.dead = true;
    for (const end of this.#deaths) end();
  }
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
  /** Whose timer it is; null for what happens in the world whoever lives. */
  readonly life: Life | null;
}

/** Time for everybody: the same events always happen in the same order. */
export class World {
  now = 1_700_000_000_000;
  #order = 0;
  #events: Event[] = [];
  #work = 0;

  /** Says that something happened that needs no time, so that time stands still until its consequences are there. */
  stir(): void {
    this.#work += 1;
  }

  /** Lets something happen in `ms`; returns what takes it back. */
  after(ms: number, life: Life | null, fire: () => void): () => void {
    this.#order += 1;
    const event = { at: this.now + Math.max(0, ms), order: this.#order, fire, life };
    this.#events.push(event);
    this.stir();
    return () => {
      this.#events = this.#events.filter((each) => each !== event);
    };
  }

  clock(life: Life): Clock {
    return {
      now: () => Math.floor(this.now),
      after: (ms, fire) => this.after(ms, life, fire),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) {
            reject(signal.reason);
            return;
          }
          const stop = () => {
            revert();
            reject(signal?.reason);
          };
          const revert = this.after(ms, life, () => {
            signal?.removeEventListener('abort', stop);
            resolve();
          });
          signal?.addEventListener('abort', stop, { once: true });
        }),
    };
  }

  /** Lets time pass until the process has ended; what it gives, or undefined where it died. */
  async live<T>(life: Life, process: Promise<T>): Promise<T | undefined> {
    const state = { over: false };
    const watched = process.finally(() => {
      state.over = true;
    });
    watched.catch(() => undefined);
    for (;;) {
      await this.#quiet();
      if (life.dead) {
        this.#events = this.#events.filter((event) => event.life !== life);
        return undefined;
      }
      if (state.over) return watched;
      if (!this.#next()) throw new Error('deadlock: nothing is left to wait for');
    }
  }

  /** Lets that much time pass with nobody there. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    this.after(ms, null, () => undefined);
    while (this.now < end) {
      this.#next();
      await this.#quiet();
    }
  }

  #next(): boolean {
    let next: Event | undefined;
    for (const event of this.#events) {
      if (next === undefined || event.at < next.at || (event.at === next.at && event.order < next.order))
        next = event;
    }
    if (next === undefined) return false;
    this.#events = this.#events.filter((event) => event !== next);
    this.now = Math.max(this.now, next.at);
    next.fire();
    return true;
  }

  /** Everything that needs no time has happened: two turns of the event loop without anything new. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 2; ) {
      const before = this.#work;
      await new Promise((resolve) => setImmediate(resolve));
      calm = this.#work === before ? calm + 1 : 0;
    }
  }
}
