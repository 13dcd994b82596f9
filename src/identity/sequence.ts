/** The turn of one row among those that share an identifier. */
export interface IdentifierQueueTurn {
  /** Resolves when it is the row's turn; undefined if no row is ahead of it. */
  readonly ready: Promise<unknown> | undefined;
  /** Releases the next row. */
  leave(): void;
}

/**
 * Makes rows that share an identifier wait for each other, in the order of the input, while other rows run in parallel.
 */
export class IdentifierQueue {
  readonly #last = new Map<string, Turn>();

  /** Queues a row behind all earlier rows that share one of its identifiers; call it in the input's order. */
  enter(identifiers: readonly string[]): IdentifierQueueTurn {
    const turn = new Turn(this.#last, identifiers);
    const before: Promise<void>[] = [];
    for (const identifier of identifiers) {
      const last = this.#last.get(identifier);
      if (last !== undefined) before.push(last.ended());
      this.#last.set(identifier, turn);
    }
    if (before.length > 0) turn.ready = Promise.all(before);
    return turn;
  }

  /** The number of identifiers of rows in progress. */
  get size(): number {
    return this.#last.size;
  }
}

class Turn implements IdentifierQueueTurn {
  ready: Promise<unknown> | undefined;
  readonly #last: Map<string, Turn>;
  readonly #identifiers: readonly string[];
  // Created on demand, because hardly any row has another one waiting for it.
  #ended: Promise<void> | undefined;
  #end: (() => void) | undefined;

  constructor(last: Map<string, Turn>, identifiers: readonly string[]) {
    this.#last = last;
    this.#identifiers = identifiers;
  }

  ended(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#end = resolve;
    });
    return this.#ended;
  }

  leave(): void {
    for (const identifier of this.#identifiers)
      if (this.#last.get(identifier) === this) this.#last.delete(identifier);
    this.#end?.();
  }
}
