import type * as z from 'zod';
import type { CustomValue } from '../model/custom-field.ts';
import type { ColumnGuesser } from './guess.ts';

/**
 * An error of a cell: the last part of its problem code, such as `invalid` of `phone.invalid`, and a
 * sentence.
 */
export interface CellError {
  readonly problem: string;
  readonly reason: string;
  /** The column of the error; null or absent for the column of the cell. */
  readonly column?: string | null;
}

export type ParsedCell<V> =
  /** `note` is a remark about a valid value, such as an extension that was left out. */
  { readonly ok: true; readonly value: V; readonly note?: CellError } | ({ readonly ok: false } & CellError);

/** Parses a cell into the value to send; created once per field rule, pure, never throws. */
export interface CellReader {
  /** True if an empty cell is a value, as for a checkbox that lists `""`. */
  readonly readsEmpty: boolean;
  read(text: string): ParsedCell<string | number | boolean>;
}

/** The limits that the workspace's field sets for its values. */
interface FieldBounds {
  readonly allowedValues?: readonly string[] | undefined;
}

/** The kind of filter that exports apply to a field: equality, boolean, number, ordered text or timestamp. */
export type FilterKind = 'plain' | 'flag' | 'number' | 'ordered' | 'timestamp';

/** The properties of a data type that do not depend on its options. */
interface DataTypeFacts {
  /** The filter that exports apply to a field of this type. */
  readonly filterKind: FilterKind;
  /** Recognizes columns of the type for a draft mapping; without it, a draft never proposes the type. */
  readonly guess?: ColumnGuesser;
}

/** A data type of custom fields (specification: custom field value formatting rules). */
export interface DataType extends DataTypeFacts {
  /** The schema of the keys that only field rules of this type have. */
  readonly options: z.ZodObject;
  /** Creates the reader of a field rule; `rule` must satisfy the schema `options`. */
  reader(rule: object, bounds: FieldBounds): CellReader;
  /** Returns true if a value read back, usually a string, equals the wanted one; null, missing and empty are equal. */
  same(readBack: unknown, wanted: CustomValue): boolean;
}

/** The definition of a data type, with its typed options. */
interface DataTypeDefinition<O extends z.ZodObject> extends DataTypeFacts {
  readonly options: O;
  reader(options: z.output<O>, bounds: FieldBounds): CellReader;
  /** Compares two values, neither of them empty. */
  same(readBack: string, wanted: string | number | boolean): boolean;
}

/**
 * Creates a data type from its definition, and adds the parsing of a rule's options and the comparison of empty values.
 */
export function defineDataType<O extends z.ZodObject>(definition: DataTypeDefinition<O>): DataType {
  return {
    ...definition,
    reader: (rule, bounds) => definition.reader(definition.options.parse(rule), bounds),
    same(readBack, wanted) {
      const text = textOf(readBack);
      if (text === '' || wanted === null || wanted === '') return text === '' && (wanted ?? '') === '';
      return definition.same(text, wanted);
    },
  };
}

function textOf(readBack: unknown): string {
  if (typeof readBack === 'string') return readBack;
  if (typeof readBack === 'number' || typeof readBack === 'boolean') return String(readBack);
  return readBack === null || readBack === undefined ? '' : JSON.stringify(readBack);
}

export function createCellError(reason: string): { readonly ok: false } & CellError {
  return { ok: false, problem: 'invalid', reason };
}

/** The length of the longest cell that is parsed as a date, time, number, phone, country or language. */
export const maxShortCellLength = 200;

/** Formats a cell for an error: quoted, shortened, with control characters escaped. */
export function quoteCell(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shown);
}

/**
 * Adds a cache of up to `most` results, for short texts only, to a pure function; a full cache is cleared.
 */
export function memoize<V>(most: number, compute: (text: string) => V): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    if (text.length > maxShortCellLength) return compute(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (results.size >= most) results.clear();
    results.set(text, value);
    return value;
  };
}
