/** How many records are in memory at once. */
export const pageSize = 500;

/** Yields the rows of a query page by page: each begins after the last row of the page before. */
export function* pagesOf<T>(read: (last?: T) => readonly T[]): Generator<readonly T[]> {
  let page = read();
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = read(last);
  }
}
