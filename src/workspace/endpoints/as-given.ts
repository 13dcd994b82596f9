import { type ZodType, z } from 'zod';

/** Something the interface gave, checked, beside the object as it came: no property lost, none added. */
export interface AsGiven<T> {
  readonly value: T;
  readonly given: Readonly<Record<string, unknown>>;
}

const object = z.record(z.string(), z.unknown());

/** Checks with a schema and keeps what was checked. */
export function asGiven<T>(schema: ZodType<T>): ZodType<AsGiven<T>> {
  return object.transform((given, context) => {
    const read = schema.safeParse(given);
    if (read.success) return { value: read.data, given };
    for (const { message, path } of read.error.issues) {
      context.issues.push({ code: 'custom', message, path: [...path], input: given });
    }
    return z.NEVER;
  });
}
