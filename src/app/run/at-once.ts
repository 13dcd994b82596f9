/**
 * Works on everything that `items` gives, in its order, so many at once; the next is asked for only when its turn has come.
 * Throws the first error; nothing begins after it.
 */
export async function atOnce<T>(
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All draw from one iterator: whoever leaves its loop by an error ends it for the others, too.
  const shared = items[Symbol.iterator]();
  const all = { [Symbol.iterator]: () => shared };
  const worker = async () => {
    for (const item of all) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
