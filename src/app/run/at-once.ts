/** Runs a wait without the item's slot in the pool, so that another item can use the slot meanwhile. */
export type WaitWithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>;

/** The maximum number of items that wait without a slot at once: each of them is held in memory. */
const mostWaiting = 10_000;

/**
 * Works on all items in their order, a limited number at once; the next item is requested only when a slot is free.
 *
 * An item that waits gives its slot to the next one meanwhile. Throws the first error; nothing begins after it.
 */
export async function forEachConcurrently<T>(
  concurrency: number,
  items: Iterable<T>,
  work: (item: T, withoutPlace: WaitWithoutSlot) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const resuming: (() => void)[] = [];
  let isOver = false;
  let waiting = 0;
  let free = 0;
  /** Works in one slot until no item is left, or until an item that has waited takes the slot back. */
  const place = async (): Promise<void> => {
    for (;;) {
      const resume = resuming.shift();
      if (resume !== undefined) return resume();
      const next = isOver ? undefined : iterator.next();
      if (next === undefined || next.done === true) break;
      await work(next.value, withoutPlace);
    }
    free += 1;
  };
  const withoutPlace: WaitWithoutSlot = async (wait) => {
    if (waiting >= mostWaiting) return await wait();
    waiting += 1;
    begin();
    try {
      return await wait();
    } finally {
      waiting -= 1;
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => resuming.push(resolve));
    }
  };
  let begun = 0;
  let ended = () => {};
  let failed: (error: unknown) => void = () => {};
  const begin = () => {
    begun += 1;
    place().then(
      () => {
        begun -= 1;
        if (begun === 0) ended();
      },
      (error: unknown) => {
        isOver = true;
        iterator.return?.();
        failed(error);
      },
    );
  };
  await new Promise<void>((resolve, reject) => {
    [ended, failed] = [resolve, reject];
    for (let n = 0; n < concurrency; n += 1) begin();
  });
}
