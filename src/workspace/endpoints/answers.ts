import { type ZodType, z } from 'zod';

/** A checked object beside the object as it came: no property lost, none added. */
export interface Lossless<T> {
  readonly value: T;
  readonly given: Readonly<Record<string, unknown>>;
}

const object = z.record(z.string(), z.unknown());

/** Makes a schema that also keeps the object as it came. */
export function lossless<T>(schema: ZodType<T>): ZodType<Lossless<T>> {
  return object.transform((given, context) => {
    const read = schema.safeParse(given);
    if (read.success) return { value: read.data, given };
    for (const { message, path } of read.error.issues) {
      context.issues.push({ code: 'custom', message, path: [...path], input: given });
    }
    return z.NEVER;
  });
}

/** One page of a list (specification: Pagination). */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** Which page: from a cursor on, `limit` items at most. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

const pagination = z.looseObject({ next: z.string().nullish() }).nullish();

/** The response of a list endpoint; of the `next` link only the cursor is kept, so that no link can lead anywhere. */
export function pageOf<T>(item: ZodType<T>): ZodType<Page<T>> {
  return z
    .looseObject({ items: z.array(item), pagination })
    .transform(({ items, pagination }) => ({ items, next: cursorOf(pagination?.next) }));
}

/** The query of a page request, encoded, without the question mark. */
export function pageQuery(page: PageQuery, defaultLimit: number): string {
  const limit = `limit=${page.limit ?? defaultLimit}`;
  return page.cursor === undefined ? limit : `${limit}&cursorId=${encodeURIComponent(page.cursor)}`;
}

/** The cursor of a link, absolute or relative; null where there is none. */
function cursorOf(link: string | null | undefined): string | null {
  if (!link) return null;
  const query = link.slice(link.indexOf('?') + 1).split('#', 1)[0];
  const cursor = new URLSearchParams(query).get('cursorId');
  return cursor === '' ? null : cursor;
}
