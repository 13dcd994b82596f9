import type * as z from 'zod';
import type { CustomValue } from '../model/custom-field.ts';
import type { ColumnGuess } from './guess.ts';

/** An error of a cell: the second half of a problem code (`invalid`, `notAllowed`, `tooLong`), and a sentence. */
export interface ReadError {
  readonly problem: string;
  readonly reason: string;
  /** The column of the error, where it is not the one read. */
  readonly column?: string | null;
}

export type ParsedCell<V> =
  /** `note` says what a person should know although the value stands, such as an extension that was left out. */
  { readonly ok: true; readonly value: V; readonly note?: ReadError } | ({ readonly ok: false } & ReadError);

/** Parses a cell into the value to send; created once per field rule, pure, never throws. */
export interface CellReader {
  /** Whether an empty cell is a value (a checkbox that lists `""`). */
  readonly readsEmpty: boolean;
  read(text: string): ParsedCell<string | number | boolean>;
}

/** The bounds of the workspace's field. */
interface FieldBounds {
  readonly allowedValues?: readonly string[] | undefined;
}

/** How an export filters by a field: unordered, ordered, boolean, number or timestamp. */
export type FilterKind = 'plain' | 'flag' | 'number' | 'ordered' | 'timestamp';

/** The properties of a data type that do not depend on its options. */
interface DataTypeFacts {
  /** How exports filter by a field of this type. */
  readonly filterKind: FilterKind;
  /** How a draft recognizes its columns; without it, drafts do not propose the type. */
  readonly guess?: ColumnGuess;
}

/** A data type of custom fields (specification: custom field value formatting rules). */
export interface DataType extends DataTypeFacts {
  /** The keys of a field rule of this type, beyond those of every rule. */
  readonly options: z.ZodObject;
  /** Creates the reader of a field rule; `rule` must have passed `options`. */
  reader(rule: object, bounds: FieldBounds): CellReader;
  /** Whether a value read back equals the wanted one: the workspace returns strings; null, missing and empty are equal. */
  same(readBack: unknown, wanted: CustomValue): boolean;
}

/** The definition of a data type, with its typed options. */
interface DataTypeDefinition<O extends z.ZodObject> extends DataTypeFacts {
  readonly options: O;
  reader(options: z.output<O>, bounds: FieldBounds): CellReader;
  /** Compares two values, neither of them empty. */
  same(readBack: string, wanted: string | number | boolean): boolean;
}

/** Creates a data type from its definition, with parsed options. */
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

export function invalidCell(reason: string): { readonly ok: false } & ReadError {
  return { ok: false, problem: 'invalid', reason };
}

/** The longest cell that is parsed as a date, number, phone, country or language. */
export const longestShortCell = 200;

/** Formats a cell for an error: quoted, shortened, with control characters escaped. */
export function quoteCell(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shown);
}

/** Caches up to `most` results of a pure function for short texts; a full cache is cleared. */
export function memoize<V>(most: number, compute: (text: string) => V): (text: string) => V {
  const results = new Map<string, V>();
  return (text) => {
    if (text.length > longestShortCell) return compute(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    const value = compute(text);
    if (results.size >= most) results.clear();
    results.set(text, value);
    return value;
  };
}
