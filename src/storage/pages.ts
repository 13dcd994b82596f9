/** The maximum number of records in a page of a query. */
export const queryPageSize = 500;

/**
 * Yields the pages that `read` returns, until one is empty. Each call of `read` but the first gets the last row of the
 * page before.
 */
export function* iteratePages<T>(read: (last?: T) => readonly T[]): Generator<readonly T[]> {
  let page = read();
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = read(last);
  }
}
