import type { AnswerFlaw, WorkspaceAnswer } from '../model/answer.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Page, PageQuery } from './endpoints/answers.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

/** The number of items up to which every identity is stored exactly. */
const mostExact = 10_000;

/**
 * The size (bits) of the Bloom filter that is used beyond `mostExact` items; with five million items, it reports about
 * one new item in 25 as seen.
 */
const bits = 2 ** 25;
const hashes = 4;

/**
 * The set of seen items of a list, in memory of bounded size: exact at first, then a Bloom filter. A seen item is
 * always recognised. A new item is sometimes reported as seen, so a single seen item proves nothing.
 */
export class SeenItems {
  readonly #exact = new Set<string>();
  #table: Uint32Array | undefined;

  /** Adds an item by its identity; returns true if it is new. */
  add(key: string): boolean {
    if (this.#table !== undefined) return setIn(this.#table, key);
    if (this.#exact.has(key)) return false;
    this.#exact.add(key);
    if (this.#exact.size >= mostExact) {
      this.#table = new Uint32Array(bits / 32);
      for (const each of this.#exact) setIn(this.#table, each);
      this.#exact.clear();
    }
    return true;
  }
}

/** Sets the bits of a key; returns true if one of them was not set. */
function setIn(table: Uint32Array, key: string): boolean {
  const first = hash(key, 0x811c9dc5);
  const step = hash(key, 0x01234567) | 1;
  let isNew = false;
  for (let n = 0; n < hashes; n += 1) {
    const bit = ((first + Math.imul(n, step)) >>> 0) % bits;
    const before = table[bit >>> 5] ?? 0;
    const after = before | (1 << (bit & 31));
    if (after >>> 0 !== before >>> 0) isNew = true;
    table[bit >>> 5] = after;
  }
  return isNew;
}

/** Returns the FNV-1a hash with a final mix, so that consecutive ids are spread over the table. */
function hash(text: string, from: number): number {
  let value = from;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A page of a list, with the defects of its items. */
export interface PageWithFlaws<T> extends Page<T> {
  readonly flaws: readonly AnswerFlaw[];
}

export type ReadListPage<T> = (page: PageQuery) => Promise<WorkspaceAnswer<Page<T>>>;

/** The number of pages in a row without new items at which reading stops. */
const mostEmptyHanded = 2;
/** The number of cursors remembered, to recognise a list whose end repeats a recent one. */
const mostCursors = 1_000;

/**
 * Yields the pages of a list from a cursor on. Ends after a page whose next cursor is null or repeated, or after the
 * second page in a row without new items, which must be empty. Throws a FatalError if that page has items, because
 * the list may never end, or if a page cannot be read.
 */
export async function* paginate<T>(
  list: ReadListPage<T>,
  from: PageQuery = {},
  onEvent: (event: WorkspaceEvent) => void = () => undefined,
): AsyncGenerator<PageWithFlaws<T>, void, void> {
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
    // Here an empty page ends the list. A page of repeated items is an error, because the list may have more items
    // that it never shows.
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

/** Returns the identity of an item in its list: its id, message id or category, or else its JSON. */
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
  flaws: readonly AnswerFlaw[],
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

function unreadable(answer: Exclude<WorkspaceAnswer<unknown>, { kind: 'ok' }>, page: PageQuery): FatalError {
  const where = page.cursor === undefined ? 'the first page' : `the page from cursor ${page.cursor} on`;
  const status = answer.kind === 'refused' ? `${answer.status} ` : '';
  if (answer.kind === 'refused' && answer.status === 429) {
    return new FatalError(
      'unreachable',
      `A list of the workspace could not be read: 429 ${answer.message}.`,
      {
        next: 'Another client may be using up the limit. When it is less busy, run the same command again.',
      },
    );
  }
  const message = `A list of the workspace could not be read: ${where} failed (${status}${answer.message}).`;
  // No answer, or a fault of the workspace, after all attempts: a later attempt may succeed.
  if (answer.kind === 'unknown' && answer.misfit === undefined)
    return new FatalError('unreachable', message, {
      next: 'The workspace answers other requests. When it answers this one, run the same command again.',
    });
  return new FatalError('unexpected', message);
}
