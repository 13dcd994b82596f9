import type { Staging, ToRead } from '../staging/staging.ts';

const batch = 256;

/** Gives out contacts whose messages are to be read, in their order, and waits for the list where it is behind. */
export class Readers {
  readonly #staging: Staging;
  #batch: readonly ToRead[] = [];
  #index = 0;
  #last = 0;
  #ended = false;
  #more: PromiseWithResolve = withResolve();

  constructor(staging: Staging) {
    this.#staging = staging;
  }

  /** No contact will be added any more, whether the list was read to its end or broke off. */
  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** There may be more contacts now. */
  wake(): void {
    this.#more.resolve();
    this.#more = withResolve();
  }

  /** The next contact; undefined when all were given out. */
  async next(signal: AbortSignal): Promise<ToRead | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const contact = this.#take();
      if (contact !== undefined) return contact;
      if (this.#ended) return undefined;
      await this.#more.promise;
    }
  }

  #take(): ToRead | undefined {
    if (this.#index >= this.#batch.length) {
      this.#batch = this.#staging.toRead(this.#last, batch);
      this.#index = 0;
    }
    const contact = this.#batch[this.#index];
    if (contact === undefined) return undefined;
    this.#index += 1;
    this.#last = contact.seq;
    return contact;
  }
}

interface PromiseWithResolve {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolve(): PromiseWithResolve {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
