import type * as z from 'zod';
import { validateJson } from './json.ts';

/** Reads the value of a query's column; throws a ColumnError where the value is of another type. */
export type ColumnReader<T> = (value: unknown) => T;

/** The readers of a query's columns, by column name. */
export type ColumnReaders = Readonly<Record<string, ColumnReader<unknown>>>;

/** The row of a query whose columns these readers read. */
export type TypedRow<C extends ColumnReaders> = {
  readonly [Name in keyof C]: C[Name] extends ColumnReader<infer T> ? T : never;
};

/** Thrown by a column's reader for a value that it refuses; the message is a clause and does not quote the value. */
export class ColumnError extends Error {}

export const numberColumn: ColumnReader<number> = (value) => {
  if (typeof value === 'number') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a number`);
};

export const textColumn: ColumnReader<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a text`);
};

/** Reads a boolean that is stored as 0 or 1. */
export const flagColumn: ColumnReader<boolean> = (value) => numberColumn(value) === 1;

/** Returns a reader that gives null for NULL, and otherwise reads as `column` does. */
export function nullableColumn<T>(column: ColumnReader<T>): ColumnReader<T | null> {
  return (value) => (value === null ? null : column(value));
}

/** Returns a reader that gives undefined for NULL, and otherwise reads as `column` does. */
export function optionalColumn<T>(column: ColumnReader<T>): ColumnReader<T | undefined> {
  return (value) => (value === null ? undefined : column(value));
}

/** Returns a reader that accepts only these words. */
export function enumColumn<const Word extends string>(words: readonly Word[]): ColumnReader<Word> {
  const known = new Map<unknown, Word>(words.map((word) => [word, word]));
  return (value) => {
    const word = known.get(value);
    if (word !== undefined) return word;
    throw new ColumnError(`has ${kindOf(value)} in place of one of ${words.join(', ')}`);
  };
}

/** Returns a reader of JSON text that parses it with the schema. */
export function jsonColumn<T>(schema: z.ZodType<T>): ColumnReader<T> {
  return (value) => {
    const result = validateJson(textColumn(value), schema);
    if ('value' in result) return result.value;
    throw new ColumnError(result.problem);
  };
}

/** Reads JSON text that is an object, with any properties. */
export const jsonObjectColumn: ColumnReader<Readonly<Record<string, unknown>>> = (value) => {
  const object = anyJsonColumn(value);
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { ...object };
  throw new ColumnError('has JSON that is no object');
};

/** Reads JSON text of any shape. */
export const anyJsonColumn: ColumnReader<unknown> = (value) => {
  try {
    return JSON.parse(textColumn(value));
  } catch (error) {
    throw error instanceof SyntaxError ? new ColumnError('is not valid JSON') : error;
  }
};

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
    case 'bigint':
      return 'a number';
    case 'undefined':
      return 'no value';
    default:
      return value === null ? 'no value' : 'bytes';
  }
}
