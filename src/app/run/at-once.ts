/** Waits in a place that another item has meanwhile. */
export type WithoutPlace = <T>(wait: () => Promise<T>) => Promise<T>;

/** So many items wait without their place at the most: what has begun is held in memory. */
const mostWaiting = 10_000;

/**
 * Works on everything that `items` gives, in its order, so many at once; the next is asked for only when its turn has come.
 * An item that waits gives its place to the next meanwhile. Throws the first error; nothing begins after it.
 */
export async function atOnce<T>(
  concurrency: number,
  items: Iterable<T>,
  work: (item: T, withoutPlace: WithoutPlace) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const resuming: (() => void)[] = [];
  let isOver = false;
  let waiting = 0;
  let free = 0;
  /** Works in one place until no item is left, or one that has waited takes the place back. */
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
  const withoutPlace: WithoutPlace = async (wait) => {
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
