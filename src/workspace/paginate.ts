import type { Answer, Flaw } from '../model/answer.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Page, PageQuery } from './endpoints/page.ts';
import { SeenItems } from './seen-items.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

/** A page, and what is wrong with items of it that could be read all the same. */
export interface ReadPage<T> extends Page<T> {
  readonly flaws: readonly Flaw[];
}

export type List<T> = (page: PageQuery) => Promise<Answer<Page<T>>>;

/** How many pages in a row may bring nothing new. */
const mostEmptyHanded = 2;
/** A workspace that ends its list with a cursor of before repeats one of the last. */
const mostCursors = 1_000;

/**
 * Yields the pages of a list from a cursor on, until a page has no next cursor or one that came before; throws a
 * FatalError where a page cannot be read, and where the list does not end.
 */
export async function* paginate<T>(
  list: List<T>,
  from: PageQuery = {},
  onEvent: (event: WorkspaceEvent) => void = () => undefined,
): AsyncGenerator<ReadPage<T>, void, void> {
  const cursors = new Set<string>();
  const seen = new SeenItems();
  let emptyHanded = 0;
  let page = from;
  for (;;) {
    const answer = await list(page);
    if (answer.kind !== 'ok') throw unreadable(answer, page);
    const { items, next } = answer.value;
    const flaws = answer.flaws ?? [];
    warn(items, flaws, onEvent);
    emptyHanded = countNew(items, seen) === 0 ? emptyHanded + 1 : 0;
    const isOver = next === null || cursors.has(next) || next === page.cursor;
    // After nothing at all there is nothing; what comes again and again may hide what does not come.
    if (!isOver && emptyHanded >= mostEmptyHanded && items.length > 0) throw endless(items.length);
    const last = isOver || emptyHanded >= mostEmptyHanded;
    yield { items, next: last ? null : next, flaws };
    if (last) return;
    if (cursors.size >= mostCursors) cursors.clear();
    cursors.add(next);
    page = { ...page, cursor: next };
  }
}

function countNew(items: readonly unknown[], seen: SeenItems): number {
  return items.reduce<number>((count, item) => count + (seen.add(identityOf(item)) ? 1 : 0), 0);
}

const identities = ['id', 'messageId', 'category'] as const;

/** What tells an item of a list from the others: its id, where it has one. */
function identityOf(item: unknown): string {
  const value = isObject(item) && isObject(item.value) ? item.value : item;
  if (!isObject(value)) return String(value);
  for (const name of identities) {
    const identity = value[name];
    if (typeof identity === 'number' || typeof identity === 'string') return String(identity);
  }
  return JSON.stringify(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function warn(
  items: readonly unknown[],
  flaws: readonly Flaw[],
  onEvent: (event: WorkspaceEvent) => void,
): void {
  for (const { item, reason } of flaws) {
    const what = item === undefined ? 'a page' : `the item ${identityOf(items[item])}`;
    onEvent({ kind: 'warning', text: `In a list of the workspace, ${what} was damaged: ${reason}.` });
  }
}

function endless(size: number): FatalError {
  return new FatalError(
    'unexpected',
    `A list of the workspace does not end: ${mostEmptyHanded} pages in a row had nothing new (${size} items each), and each had a next one.`,
    { next: 'The list may be incomplete. Report this to the support of the workspace.' },
  );
}

function unreadable(answer: Exclude<Answer<unknown>, { kind: 'ok' }>, page: PageQuery): FatalError {
  const where = page.cursor === undefined ? 'the first page' : `the page from cursor ${page.cursor} on`;
  const status = answer.kind === 'refused' ? `${answer.status} ` : '';
  return new FatalError(
    'unexpected',
    `A list of the workspace could not be read: ${where} failed (${status}${answer.message}).`,
  );
}
