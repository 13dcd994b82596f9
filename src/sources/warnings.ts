/** The sentence of a kind of warning: how many there are, and where the first is. */
export type WarningWords<K extends string, P> = Readonly<Record<K, (count: number, first: P) => string>>;

/** Counts what is odd in an input, by kind, with the place of the first of each. */
export class Warnings<K extends string, P = number> {
  readonly #words: WarningWords<K, P>;
  readonly #found = new Map<string, { count: number; readonly first: P }>();

  constructor(words: WarningWords<K, P>) {
    this.#words = words;
  }

  add(kind: K, place: P, count = 1): void {
    const found = this.#found.get(kind);
    if (found !== undefined) found.count += count;
    else if (count > 0) this.#found.set(kind, { count, first: place });
  }

  /** A sentence for each kind that was found, in the order of the words. */
  notes(): readonly string[] {
    const kinds: readonly [string, (count: number, first: P) => string][] = Object.entries(this.#words);
    return kinds.flatMap(([kind, sentence]) => {
      const found = this.#found.get(kind);
      return found === undefined ? [] : [sentence(found.count, found.first)];
    });
  }
}
