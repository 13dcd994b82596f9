/**
 * For each kind of warning, the function that returns its sentence, given the count and the place of the first one.
 */
export type WarningFormatters<K extends string, P> = Readonly<Record<K, (count: number, first: P) => string>>;

/** Counts warnings by kind, with the place of the first of each. */
export class WarningCounter<K extends string, P = number> {
  readonly #words: WarningFormatters<K, P>;
  readonly #found = new Map<string, { count: number; readonly first: P }>();

  constructor(words: WarningFormatters<K, P>) {
    this.#words = words;
  }

  add(kind: K, place: P, count = 1): void {
    const found = this.#found.get(kind);
    if (found !== undefined) found.count += count;
    else if (count > 0) this.#found.set(kind, { count, first: place });
  }

  /** Returns a sentence for each kind found, in the order of `words`. */
  notes(): readonly string[] {
    const kinds: readonly [string, (count: number, first: P) => string][] = Object.entries(this.#words);
    return kinds.flatMap(([kind, sentence]) => {
      const found = this.#found.get(kind);
      return found === undefined ? [] : [sentence(found.count, found.first)];
    });
  }
}
