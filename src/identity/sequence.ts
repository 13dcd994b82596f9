/** Orders rows that share an identifier as in the input, while other rows run in parallel. */
export class IdentitySequence {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Queues a row behind all earlier rows that share one of its identifiers; call it in the input's order. `ready` is
   * undefined if no row is ahead of it; `leave` releases the next row.
   */
  enter(identifiers: readonly string[]): {
    readonly ready: Promise<unknown> | undefined;
    readonly leave: () => void;
  } {
    const before: Promise<void>[] = [];
    let leave = () => {};
    const own = new Promise<void>((resolve) => {
      leave = resolve;
    });
    for (const identifier of identifiers) {
      const last = this.#last.get(identifier);
      if (last !== undefined) before.push(last);
      this.#last.set(identifier, own);
    }
    return {
      ready: before.length === 0 ? undefined : Promise.all(before),
      leave: () => {
        for (const identifier of identifiers) {
          if (this.#last.get(identifier) === own) this.#last.delete(identifier);
        }
        leave();
      },
    };
  }

  /** The number of identifiers of rows in progress. */
  get size(): number {
    return this.#last.size;
  }
}
