/** Rows per second over the last while, from samples taken now and then; memory is bounded by the window. */
export class RecentRate {
  readonly #window: number;
  readonly #spacing: number;
  #samples: { readonly at: number; readonly done: number }[] = [];

  /** `window` is in ms. */
  constructor(window: number) {
    this.#window = window;
    this.#spacing = window / 60;
  }

  sample(at: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at - last.at < this.#spacing) return;
    this.#samples.push({ at, done });
    // One sample from before the window stays, so that the samples always cover all of it.
    const inside = this.#samples.findIndex((sample) => sample.at > at - this.#window);
    if (inside > 1) this.#samples.splice(0, inside - 1);
  }

  /** Undefined until there is something to measure: a second of work, and a row done in it. */
  perSecond(at: number, done: number): number | undefined {
    const first = this.#samples[0];
    if (first === undefined || at - first.at < 1_000 || done <= first.done) return undefined;
    return ((done - first.done) * 1_000) / (at - first.at);
  }

  /** Begins anew, after a pause that must not count as slowness. */
  restart(at: number, done: number): void {
    this.#samples = [{ at, done }];
  }
}
