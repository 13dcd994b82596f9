import type { Answer } from '../model/answer.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Page, PageQuery } from './endpoints/page.ts';

/**
 * Yields the pages of a list from a cursor on, until a page has no next cursor or one that came before; throws a
 * FatalError where a page cannot be read.
 */
export async function* paginate<T>(
  list: (page: PageQuery) => Promise<Answer<Page<T>>>,
  from: PageQuery = {},
): AsyncGenerator<Page<T>, void, void> {
  const seen = new Set<string>();
  let page = from;
  for (;;) {
    const answer = await list(page);
    if (answer.kind !== 'ok') throw unreadable(answer, page);
    const { next } = answer.value;
    const last = next === null || seen.has(next) || next === page.cursor;
    yield last ? { items: answer.value.items, next: null } : answer.value;
    if (last) return;
    seen.add(next);
    page = { ...page, cursor: next };
  }
}

function unreadable(answer: Exclude<Answer<unknown>, { kind: 'ok' }>, page: PageQuery): FatalError {
  const where = page.cursor === undefined ? 'the first page' : `the page from cursor ${page.cursor} on`;
  const status = answer.kind === 'refused' ? `${answer.status} ` : '';
  return new FatalError(
    'unexpected',
    `A list of the workspace broke off: ${where} was not given (${status}${answer.message}).`,
  );
}
