import type { SqlValue } from '../storage/sql.ts';
import { createValidationError } from './api-error.ts';
import { isIntegerText } from './rules/shapes.ts';
import type { SelectRows } from './store/store.ts';

/** The page that a query asks for (specification: Pagination); a negative cursor reads towards the start. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: number | undefined;
}

/** A list that can be read in both directions from the id of any item, the nearest items first. */
export interface PagedListing<Item> {
  idOf(item: Item): number;
  /** Returns up to `limit` items after the item `id`, or the first items of the list if `id` is undefined. */
  after(id: number | undefined, limit: number): readonly Item[];
  /** Returns the item `id` and the items after it, at most `limit` in total. */
  from(id: number, limit: number): readonly Item[];
  /** Returns up to `limit` items before the item `id`, in reverse order. */
  before(id: number, limit: number): readonly Item[];
}

export interface PageLinkOptions {
  /** The absolute address of the list, without a query. */
  readonly url: string;
  readonly absent: 'empty' | 'null' | 'absent';
  /** The meaning of `cursorId`: the last item shown, or the one "from which the next batch starts". */
  readonly cursor: 'last' | 'next';
}

export interface SandboxPage<Shown> {
  readonly items: readonly Shown[];
  readonly pagination: { readonly next?: string | null; readonly previous?: string | null };
}

const defaultLimit = 10;

/**
 * Parses `limit` (default 10, at most `max`) and `cursorId` (0 for none); throws a 400 for anything but such integers.
 */
export function parsePageRequest(query: Readonly<Record<string, unknown>>, max: number): PageRequest {
  const limit = integer(query, 'limit') ?? defaultLimit;
  if (limit < 1 || limit > max) throw createValidationError(`limit must be between 1 and ${max}`);
  const cursor = integer(query, 'cursorId');
  return { limit, cursor: cursor === 0 ? undefined : cursor };
}

function integer(query: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isIntegerText(value))
    throw createValidationError(`${name} must be one integer`);
  return Number(value);
}

/** Returns one page with its links; cursors are item ids, so that a changing list neither repeats nor skips an item. */
export function readPage<Item, Shown>(
  listing: PagedListing<Item>,
  { limit, cursor }: PageRequest,
  links: PageLinkOptions,
  show: (item: Item) => Shown,
): SandboxPage<Shown> {
  const backwards = cursor !== undefined && cursor < 0;
  const items = backwards
    ? [...listing.before(-cursor, limit)].reverse()
    : forwards(listing, cursor, limit, links.cursor);
  const first = items[0];
  const last = items.at(-1);
  const behind = last === undefined ? [] : listing.after(listing.idOf(last), 1);
  const anchor = first === undefined ? emptyPageAnchor(cursor) : listing.idOf(first);
  const inFront = anchor === undefined ? [] : listing.before(anchor, 1);

  const nextItem = links.cursor === 'last' ? last : behind[0];
  const next = behind.length > 0 && nextItem !== undefined ? listing.idOf(nextItem) : undefined;
  const previous = inFront.length > 0 && anchor !== undefined ? -anchor : undefined;
  return {
    items: items.map(show),
    pagination: { ...link('next', links, limit, next), ...link('previous', links, limit, previous) },
  };
}

function forwards<Item>(
  listing: PagedListing<Item>,
  cursor: number | undefined,
  limit: number,
  kind: PageLinkOptions['cursor'],
): readonly Item[] {
  if (cursor === undefined || kind === 'last') return listing.after(cursor, limit);
  return listing.from(cursor, limit);
}

/**
 * Returns the id by which the links of an empty page find the previous page: the cursor, if the page is past the end of
 * the list; otherwise undefined.
 */
function emptyPageAnchor(cursor: number | undefined): number | undefined {
  return cursor === undefined || cursor < 0 ? undefined : cursor;
}

function link(
  name: 'next' | 'previous',
  links: PageLinkOptions,
  limit: number,
  cursor: number | undefined,
): { [N in typeof name]?: string | null } {
  if (cursor !== undefined) return { [name]: `${links.url}?limit=${limit}&cursorId=${cursor}` };
  if (links.absent === 'absent') return {};
  return { [name]: links.absent === 'null' ? null : '' };
}

/** Returns a listing of database rows by their id; `sql` ends in a WHERE condition. */
export function createKeysetListing<Row extends { readonly id: number }>(
  query: SelectRows<Row>,
  sql: string,
  params: readonly SqlValue[],
  direction: 'ascending' | 'descending' = 'ascending',
): PagedListing<Row> {
  const upwards = direction === 'ascending';
  const read = (operator: string, order: string, id: number, limit: number): readonly Row[] =>
    query(`${sql} AND id ${operator} ? ORDER BY id ${order} LIMIT ?`, [...params, id, limit]);
  return {
    idOf: (row) => row.id,
    after: (id, limit) =>
      upwards
        ? read('>', 'ASC', id ?? 0, limit)
        : read('<', 'DESC', id ?? Number.MAX_SAFE_INTEGER + 1, limit),
    from: (id, limit) => (upwards ? read('>=', 'ASC', id, limit) : read('<=', 'DESC', id, limit)),
    before: (id, limit) => (upwards ? read('<', 'DESC', id, limit) : read('>', 'ASC', id, limit)),
  };
}

/** Returns a listing of an array in its own order; an unknown cursor is a 400. */
export function createArrayListing<Item extends { readonly id: number }>(
  items: readonly Item[],
): PagedListing<Item> {
  const at = (id: number): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index < 0) throw createValidationError('cursorId is not of this list');
    return index;
  };
  return {
    idOf: (item) => item.id,
    after: (id, limit) => {
      const start = id === undefined ? 0 : at(id) + 1;
      return items.slice(start, start + limit);
    },
    from: (id, limit) => items.slice(at(id), at(id) + limit),
    before: (id, limit) => items.slice(Math.max(0, at(id) - limit), at(id)).reverse(),
  };
}
