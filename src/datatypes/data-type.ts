import type * as z from 'zod';
import type { CustomValue } from '../model/custom-field.ts';
import type { ColumnGuess } from './guess.ts';

/** What is wrong with a cell: the second half of a problem code (`invalid`, `notAllowed`, `tooLong`), and a sentence. */
export interface ReadError {
  readonly problem: string;
  readonly reason: string;
  /** The column to blame, where it is not the one that was read. */
  readonly column?: string | null;
}

export type Parsed<V> =
  /** `note` says what a person should know although the value stands, such as an extension that was left out. */
  { readonly ok: true; readonly value: V; readonly note?: ReadError } | ({ readonly ok: false } & ReadError);

/** Turns the text of a cell into the value that is sent; made once per field rule, pure, never throws. */
export interface CellReader {
  /** Whether an empty cell is a value here (a checkbox that lists `""`), not an absent one. */
  readonly readsEmpty: boolean;
  read(text: string): Parsed<string | number | boolean>;
}

/** What the workspace's own field adds to a rule. */
interface FieldBounds {
  readonly allowedValues?: readonly string[] | undefined;
}

/** What a filter of an export compares: without an order, with one, yes and no, points in time. */
export type FilterKind = 'plain' | 'flag' | 'number' | 'ordered' | 'timestamp';

/** What a data type says that its options have no part in. */
interface DataTypeFacts {
  /** How exports filter by a field of this type. */
  readonly filterKind: FilterKind;
  /** How a draft recognises its columns; left out, no draft proposes the type. */
  readonly guess?: ColumnGuess;
}

/** A data type of custom fields (specification: custom field value formatting rules). */
export interface DataType extends DataTypeFacts {
  /** The keys a field rule of this type may carry beyond those of every rule. */
  readonly options: z.ZodObject;
  /** A reader for the options that stand in a field rule; `rule` must have passed `options`. */
  reader(rule: object, bounds: FieldBounds): CellReader;
  /** Whether a value read back is the one that was wanted: the workspace gives strings, null equals absent or empty. */
  same(readBack: unknown, wanted: CustomValue): boolean;
}

/** What a data type's file states. */
interface DataTypeDefinition<O extends z.ZodObject> extends DataTypeFacts {
  readonly options: O;
  reader(options: z.output<O>, bounds: FieldBounds): CellReader;
  /** Compares two values of which neither is absent. */
  same(readBack: string, wanted: string | number | boolean): boolean;
}

/** Closes a definition over its own options, so that a registry can hold all data types alike. */
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

export function invalid(reason: string): { readonly ok: false } & ReadError {
  return { ok: false, problem: 'invalid', reason };
}

/** The longest cell that can be a date, a number, a phone or a name of a place; longer ones are not even looked at. */
export const longestShortCell = 200;

/** A cell's text as an error shows it: in quotes, shortened, control characters made visible. */
export function quoted(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(shown);
}

/** The same pure function, remembering up to `most` results for short texts; when they are full, all are forgotten. */
export function memoized<V>(most: number, compute: (text: string) => V): (text: string) => V {
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
