/** A value and its number of occurrences. */
export interface CountedValue {
  readonly value: string;
  readonly n: number;
}

const kept = 5_000;
const longest = 200;

/** Counts values in memory that does not grow with their number: rare values are forgotten first. */
export class ValueCounter {
  readonly #counts = new Map<string, number>();
  #forgotten = 0;
  #seen = 0;
  #isCut = false;

  add(value: string): void {
    const key = value.length > longest ? this.#cut(value) : value;
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size === kept) this.#forget();
    this.#counts.set(key, (count ?? 0) + 1);
    this.#seen = Math.max(this.#seen, this.#counts.size);
  }

  /** The number of distinct values, or a lower bound. */
  get distinct(): { readonly n: number; readonly atLeast: boolean } {
    return { n: this.#seen, atLeast: this.#forgotten > 0 || this.#isCut };
  }

  /** Returns the most frequent values with their numbers; these are lower bounds if rare values were forgotten. */
  frequent(most: number): readonly CountedValue[] {
    return [...this.#counts]
      .map(([value, n]) => ({ value, n }))
      .sort((a, b) => b.n - a.n)
      .slice(0, most);
  }

  #cut(value: string): string {
    this.#isCut = true;
    return `${value.slice(0, longest)}…`;
  }

  /** Removes the rarest values, so that a frequent value is found wherever it first occurs. */
  #forget(): void {
    while (this.#counts.size > kept / 2) {
      this.#forgotten += 1;
      for (const [value, n] of this.#counts) if (n <= this.#forgotten) this.#counts.delete(value);
    }
  }
}
