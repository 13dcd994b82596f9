/** A value and how often it comes. */
export interface ValueCount {
  readonly value: string;
  readonly n: number;
}

const kept = 5_000;
const longest = 200;

/** How often values come, in memory that does not grow with their number: the rare ones are forgotten first. */
export class ValueCounts {
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

  /** How many different values there are, or at least are. */
  get distinct(): { readonly n: number; readonly atLeast: boolean } {
    return { n: this.#seen, atLeast: this.#forgotten > 0 || this.#isCut };
  }

  /** The most frequent values, each with its number; at least so many where rare ones were forgotten. */
  frequent(most: number): readonly ValueCount[] {
    return [...this.#counts]
      .map(([value, n]) => ({ value, n }))
      .sort((a, b) => b.n - a.n)
      .slice(0, most);
  }

  #cut(value: string): string {
    this.#isCut = true;
    return `${value.slice(0, longest)}…`;
  }

  /** Values that came less often than others make room, so that what is frequent is found wherever it begins. */
  #forget(): void {
    while (this.#counts.size > kept / 2) {
      this.#forgotten += 1;
      for (const [value, n] of this.#counts) if (n <= this.#forgotten) this.#counts.delete(value);
    }
  }
}
