import type * as z from 'zod';
import { checkJson } from './json.ts';

/** Reads the value of a query's column; throws a ColumnError where the value is of another type. */
export type Column<T> = (value: unknown) => T;

/** The readers of a query's columns, by column name. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The row of a query whose columns these readers read. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never;
};

/** The error of a value that its column's reader refuses; the message is a clause and does not quote the value. */
export class ColumnError extends Error {}

export const number: Column<number> = (value) => {
  if (typeof value === 'number') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a number`);
};

export const text: Column<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a text`);
};

/** Reads a boolean that is stored as 0 or 1. */
export const flag: Column<boolean> = (value) => number(value) === 1;

/** Returns a reader that gives null for NULL, and otherwise reads as `column` does. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return (value) => (value === null ? null : column(value));
}

/** Returns a reader that gives undefined for NULL, and otherwise reads as `column` does. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return (value) => (value === null ? undefined : column(value));
}

/** Returns a reader that accepts only these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Column<Word> {
  const known = new Map<unknown, Word>(words.map((word) => [word, word]));
  return (value) => {
    const word = known.get(value);
    if (word !== undefined) return word;
    throw new ColumnError(`has ${kindOf(value)} in place of one of ${words.join(', ')}`);
  };
}

/** Returns a reader of JSON text that parses it with the schema. */
export function jsonOf<T>(schema: z.ZodType<T>): Column<T> {
  return (value) => {
    const result = checkJson(text(value), schema);
    if ('value' in result) return result.value;
    throw new ColumnError(result.problem);
  };
}

/** Reads JSON text that is an object, with any properties. */
export const jsonObject: Column<Readonly<Record<string, unknown>>> = (value) => {
  const object = anyJson(value);
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { ...object };
  throw new ColumnError('has JSON that is no object');
};

/** Reads JSON text of any shape. */
export const anyJson: Column<unknown> = (value) => {
  try {
    return JSON.parse(text(value));
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
