import { type ZodType, z } from 'zod';

/** A parsed object, with the raw one as the workspace sent it. */
export interface Lossless<T> {
  readonly value: T;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Returns a schema that parses an object and keeps the raw one with it. */
export function createLosslessSchema<T>(schema: ZodType<T>): ZodType<Lossless<T>> {
  return z.transform((given: unknown, context) => {
    if (!isObject(given)) {
      context.issues.push({ code: 'custom', message: 'expected an object', input: given });
      return z.NEVER;
    }
    const read = schema.safeParse(given);
    if (read.success) return { value: read.data, given };
    for (const { message, path } of read.error.issues) {
      context.issues.push({ code: 'custom', message, path: [...path], input: given });
    }
    return z.NEVER;
  });
}

// `z.record` would copy each object property by property.
function isObject(value: unknown): value is Lossless<unknown>['given'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One page of a list (specification: Pagination). */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** The position and size of a page: from a cursor on, at most `limit` items. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

const pagination = z.looseObject({ next: z.string().nullish() }).nullish();

/**
 * Returns the schema of a list's page; of the `next` link only the cursor is kept, so that no link is ever followed.
 */
export function createPageResponseSchema<T>(item: ZodType<T>): ZodType<Page<T>> {
  return z
    .looseObject({ items: z.array(item), pagination })
    .transform(({ items, pagination }) => ({ items, next: cursorOf(pagination?.next) }));
}

/** Returns the query of a page request, encoded, without the question mark. */
export function encodePageQuery(page: PageQuery, defaultLimit: number): string {
  const limit = `limit=${page.limit ?? defaultLimit}`;
  return page.cursor === undefined ? limit : `${limit}&cursorId=${encodeURIComponent(page.cursor)}`;
}

/** Returns the cursor of a link, absolute or relative; null where there is none. */
function cursorOf(link: string | null | undefined): string | null {
  if (!link) return null;
  const query = link.slice(link.indexOf('?') + 1).split('#', 1)[0];
  const cursor = new URLSearchParams(query).get('cursorId');
  return cursor === '' ? null : cursor;
}
