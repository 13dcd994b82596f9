import type * as z from 'zod';
import { checkJson } from './json.ts';

/** Reads the value of a column, or throws a ColumnError. */
export type Column<T> = (value: unknown) => T;

/** The columns of a query by their names. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row with these columns. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never;
};

/** Why the value of a column is not what its query expects, in a clause that does not quote it. */
export class ColumnError extends Error {}

export const number: Column<number> = (value) => {
  if (typeof value === 'number') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a number`);
};

export const text: Column<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new ColumnError(`has ${kindOf(value)} in place of a text`);
};

/** A boolean, kept as 0 or 1. */
export const flag: Column<boolean> = (value) => number(value) === 1;

/** Null where the column is empty. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return (value) => (value === null ? null : column(value));
}

/** Undefined where the column is empty. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return (value) => (value === null ? undefined : column(value));
}

/** One of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Column<Word> {
  const known = new Map<unknown, Word>(words.map((word) => [word, word]));
  return (value) => {
    const word = known.get(value);
    if (word !== undefined) return word;
    throw new ColumnError(`has ${kindOf(value)} in place of one of ${words.join(', ')}`);
  };
}

/** A JSON text, read by its schema. */
export function jsonOf<T>(schema: z.ZodType<T>): Column<T> {
  return (value) => {
    const result = checkJson(text(value), schema);
    if ('value' in result) return result.value;
    throw new ColumnError(result.problem);
  };
}

/** A JSON object, whatever it holds. */
export const jsonObject: Column<Readonly<Record<string, unknown>>> = (value) => {
  const object = anyJson(value);
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) return { ...object };
  throw new ColumnError('has JSON that is no object');
};

/** A JSON text, whatever it holds. */
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
