import type { Problem } from './problem.ts';
import type { RowPlace } from './row-place.ts';
import type { UnjoinedRowPages } from './table-use.ts';

/** A cell: its text, or null where the input has an explicit null. */
export type Cell = string | null;

/** One row of a joined table or of an array within a record. Plain elements of an array are in the column ''. */
export interface NestedRow {
  /** Returns the cell of a column; undefined if there is no such column. */
  cell(column: string): Cell | undefined;
  /** Returns true if the input has the cell of a column as a date, not as text; the cell is then in ISO format. */
  isDate?(column: string): boolean;
  /** Returns all cells with their columns, in the input's order. */
  entries(): readonly (readonly [column: string, cell: Cell])[];
}

/** One record of the input. */
export interface Row extends NestedRow, RowPlace {
  readonly kind: 'row';
  /** The row of an earlier run that this row corrects, where the input names it: `<run>:<hash>`. */
  readonly origin?: string | undefined;
  /** The problems for which the row is rejected, regardless of the mapping. */
  readonly damage?: readonly Problem[] | undefined;
  /** Returns the rows of a joined table or of an array, in order; undefined if there is no list of that name. */
  list?(name: string): readonly NestedRow[] | undefined;
}

/** A record that could not be read as a row: rejected with its raw text, never dropped. */
export interface BrokenRow extends RowPlace {
  readonly kind: 'broken';
  readonly problem: Problem;
  readonly raw: string;
  /** The row of an earlier run that it corrects, as `origin` of a `Row`. */
  readonly origin?: string | undefined;
}

/** A record that the source's `where` or `skipEmpty` leaves out. */
export interface FilteredRow extends RowPlace {
  readonly kind: 'filtered';
}

export type SourceItem = Row | BrokenRow | FilteredRow;

/** A nested list of the rows: its name, and its columns in order, null where they are not known. */
export interface NestedListFacts {
  readonly name: string;
  readonly columns: readonly string[] | null;
}

/** The delimiter, the encoding and the line ends of an input that is text with delimiters. */
export interface CsvDialect {
  readonly delimiter: string;
  readonly encoding: string;
  readonly bom: boolean;
  readonly lineEnds: 'LF' | 'CRLF' | 'CR';
}

/** The facts found by reading the whole input once, before the first request. */
export interface InputFacts {
  /** The name of the input for people: usually the path. */
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; the same bytes read the same way have the same fingerprint. */
  readonly fingerprint: string;
  /** Items the source will yield, broken ones included. */
  readonly items: number;
  /** The input's columns in order, or null where the format has none of its own. */
  readonly columns: readonly string[] | null;
  /** The joined lists of the rows. */
  readonly lists?: readonly NestedListFacts[];
  /** The sheets of a workbook, in its order, hidden ones included. */
  readonly sheets?: readonly string[];
  /** The sheets that are not read although they have cells. */
  readonly unreadSheets?: readonly string[];
  /** The sheets that are read as one, where there are several: each has its own rows and keys. */
  readonly sheetsAsOne?: readonly string[];
  /** The sheets that are not hidden. */
  readonly visibleSheets?: readonly string[];
  /** The detected options of the input's format, so that a pipeline can state them. */
  readonly detected?: Readonly<Record<string, string | number | boolean>>;
  /** Optional joins whose tables are missing: all their columns and lists are empty. */
  readonly absent?: readonly string[];
  /** Assumptions and warnings about the input, in sentences. */
  readonly notes: readonly string[];
  /** The place where the input breaks off, in a sentence: everything before it can be read, the rest is missing. */
  readonly truncated?: string | undefined;
  /** A sentence about a defect at the end of the input that was accepted (`unended: accept`); also in `notes`. */
  readonly unended?: string | undefined;
  /** The dialect of an input that is text with delimiters; absent for others. */
  readonly writing?: CsvDialect;
}

/** An input that can be read more than once and always yields the same items in the same order. */
export interface Source {
  /** Reads the whole input once; throws a FatalError where it cannot be read at all. */
  inspect(signal: AbortSignal): Promise<InputFacts>;
  /** Yields the items from number `from` (0 is the first) on, in batches, with only a few batches in memory. */
  read(from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]>;
  /**
   * Returns a generator that yields the unjoined rows in pages and finally returns the counts of all tables; undefined
   * for an input of one table. Call it after all items were read, from the first one on.
   */
  tables?(): UnjoinedRowPages | undefined;
}
