import type { RowWait, WaitWithoutRowSlot } from '../run/step.ts';

/** The most rows that may be active at once, which may change, and the most that may wait for the workspace meanwhile. */
export interface RowPoolSize {
  readonly active: () => number;
  readonly waiting: number;
}

/** The most rows that are read and mapped and wait for a slot: enough that slots never wait for the reader. */
const mostQueued = 16;

/**
 * Limits the rows under way. A row that waits for the workspace (a new contact, a queued request, an earlier row of the
 * same person) gives its slot to others meanwhile, so that it does not hold up other people's rows.
 */
export class RowPool {
  readonly #size: RowPoolSize;
  #active = 0;
  #queued: (() => void)[] = [];
  readonly #waits = new Set<RowWait>();
  #rows = 0;
  #room: (() => void) | undefined;
  #idle: (() => void) | undefined;

  constructor(size: RowPoolSize) {
    this.#size = size;
  }

  /** Rows that have started and not ended. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows that hold a slot, and rows that wait for the workspace; rows that only wait for a slot are in neither. */
  get counts(): { active: number; waiting: number } {
    return { active: this.#active, waiting: this.#rows - this.#active - this.#queued.length };
  }

  /** Resolves when another row may start; for one reader at a time. */
  async room(): Promise<void> {
    while (!this.#hasRoom()) {
      await new Promise<void>((resolve) => {
        this.#room = resolve;
      });
    }
  }

  /** Starts a row and counts it until `work` has settled; `work` takes and gives back its slot itself. */
  begin(work: () => Promise<void>): void {
    this.#rows += 1;
    void work().finally(() => {
      this.#rows -= 1;
      this.#wake();
    });
  }

  /** Takes a slot among the active rows: now (undefined), or when the promise resolves. */
  take(): Promise<void> | undefined {
    this.#serve();
    if (this.#queued.length === 0 && this.#active < this.#size.active()) {
      this.#active += 1;
      return undefined;
    }
    return new Promise<void>((resolve) => this.#queued.push(resolve));
  }

  /** Gives the slot back, to the rows that have waited longest for one. */
  give(): void {
    this.#active -= 1;
    this.#serve();
    this.#wake();
  }

  /** Starts the rows that have waited longest for a slot, as many as may be active now. */
  #serve(): void {
    const most = this.#size.active();
    while (this.#active < most) {
      const next = this.#queued.shift();
      if (next === undefined) return;
      this.#active += 1;
      next();
    }
  }

  /** The reasons of the rows that wait without a slot, if they gave one; empty while any row is active. */
  get waits(): readonly RowWait[] {
    return this.#active > 0 ? [] : [...this.#waits];
  }

  /** Waits without holding a slot; `why` is the reason. */
  async withoutSlot<T>(wait: () => Promise<T>, why?: RowWait): Promise<T> {
    return await this.sharedSlot()(wait, why);
  }

  /**
   * Returns a `withoutSlot` for one row with several concurrent waits: the slot is released at the first wait and taken
   * again after the last.
   */
  sharedSlot(): WaitWithoutRowSlot {
    let waits = 0;
    let taking: Promise<void> | undefined;
    return async (wait, why) => {
      waits += 1;
      if (waits === 1) {
        if (taking !== undefined) await taking;
        this.give();
      }
      if (why !== undefined) this.#waits.add(why);
      try {
        return await wait();
      } finally {
        if (why !== undefined) this.#waits.delete(why);
        waits -= 1;
        if (waits === 0) taking = this.take();
        await taking;
      }
    };
  }

  /** Resolves when no row is under way. */
  async idle(): Promise<void> {
    while (this.#rows > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
  }

  #hasRoom(): boolean {
    const most = this.#size.active();
    return this.#active + this.#queued.length < most + mostQueued && this.#rows < most + this.#size.waiting;
  }

  #wake(): void {
    if (this.#rows === 0) {
      this.#idle?.();
      this.#idle = undefined;
    }
    if (this.#room !== undefined && this.#hasRoom()) {
      this.#room();
      this.#room = undefined;
    }
  }
}
