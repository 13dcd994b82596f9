import type { Problem } from './problem.ts';
import type { RowPlace } from './row-place.ts';
import type { TableAccount } from './table-use.ts';

/** A cell: its text, or null where the input has an explicit null. */
export type Cell = string | null;

/** One row of a list that a record has; a plain element of an array stands in the column ''. */
export interface ListedRow {
  /** The cell of a column, undefined where there is no such column. */
  cell(column: string): Cell | undefined;
  /** All cells with their columns, in the input's order. */
  entries(): readonly (readonly [column: string, cell: Cell])[];
}

/** One record of the input. */
export interface Row extends ListedRow, RowPlace {
  readonly kind: 'row';
  /** Which row of which run this one was, where the input says so: `<run>:<hash>`. */
  readonly origin?: string | undefined;
  /** Why it is rejected, whatever the mapping makes of it. */
  readonly damage?: readonly Problem[] | undefined;
  /** The rows of a joined table or of an array, in order; undefined where there is no list of that name. */
  list?(name: string): readonly ListedRow[] | undefined;
}

/** A record that could not be read as a row: rejected with its raw text, never dropped. */
export interface BrokenRow extends RowPlace {
  readonly kind: 'broken';
  readonly problem: Problem;
  readonly raw: string;
  /** As of a row. */
  readonly origin?: string | undefined;
}

/** A record that the source's `where` or `skipEmpty` leaves out. */
export interface FilteredRow extends RowPlace {
  readonly kind: 'filtered';
}

export type SourceItem = Row | BrokenRow | FilteredRow;

/** A list that the rows have: its name and its columns in order, null where they are not known. */
export interface ListFacts {
  readonly name: string;
  readonly columns: readonly string[] | null;
}

/** How a text with delimiters is written. */
export interface Writing {
  readonly delimiter: string;
  readonly encoding: string;
  readonly bom: boolean;
  readonly lineEnds: 'LF' | 'CRLF' | 'CR';
}

/** What one whole reading of the input, before the first request, has found out. */
export interface InputFacts {
  /** What was read, for people: usually the path. */
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; the same bytes read the same way have the same fingerprint. */
  readonly fingerprint: string;
  /** Items the source will yield, broken ones included. */
  readonly items: number;
  /** The input's columns in order, or null where the format has none of its own. */
  readonly columns: readonly string[] | null;
  /** The joined lists of the rows. */
  readonly lists?: readonly ListFacts[];
  /** The sheets of a workbook, in its order, hidden ones included. */
  readonly sheets?: readonly string[];
  /** The sheets that are read as one, where they are several: each has rows and keys of its own. */
  readonly sheetsAsOne?: readonly string[];
  /** The sheets that are not hidden. */
  readonly visibleSheets?: readonly string[];
  /** How the input turned out to be written: options of its format, so that a pipeline can state them. */
  readonly detected?: Readonly<Record<string, string | number | boolean>>;
  /** Optional joins whose tables are not there: every column and list of them is empty. */
  readonly absent?: readonly string[];
  /** Guesses and warnings, to be reported. */
  readonly notes: readonly string[];
  /** Where the input breaks off, in a sentence: what came before can be read, what followed is missing. */
  readonly truncated?: string | undefined;
  /** What is wrong with its end and was accepted (unended: accept), in a sentence; it is among the notes. */
  readonly unended?: string | undefined;
  /** Absent where it is not text with delimiters. */
  readonly writing?: Writing;
}

/** An input that can be read more than once and always yields the same items in the same order. */
export interface Source {
  /** Reads the whole input once; throws a FatalError where it cannot be read at all. */
  inspect(signal: AbortSignal): Promise<InputFacts>;
  /** Yields the items from number `from` (0 is the first) on, in batches, holding only a few batches in memory. */
  read(from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]>;
  /** What became of the rows of its tables, once all items were read from the first on; undefined for an input of one table. */
  tables?(): TableAccount | undefined;
}
