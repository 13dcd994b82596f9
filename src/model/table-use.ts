/** The reason why a row of a joined table belongs to no imported row. */
export type UnjoinedReason =
  /** No row has the id by which this row is joined, neither in the main table nor in a table joined to it. */
  | 'unknownId'
  | 'emptyId'
  /** Its parent is of another kind than the join's condition requires. */
  | 'otherKind'
  /** A row of a link table whose other end is missing, left out by a condition, or cannot be read. */
  | 'linksToNothing'
  /** The join takes only one of several rows, and took another one. */
  | 'notPicked'
  /** The join that would read it lacks another table. */
  | 'missingTable'
  /** Its row of the main table is filtered, or too large. */
  | 'parentLeftOut'
  /** It cannot be read. */
  | 'broken';

/** The reasons why a row is unjoined, as lists and screens show them. */
export const unjoinedReasonLabels: Readonly<Record<UnjoinedReason, string>> = {
  unknownId: 'unknown id',
  emptyId: 'empty id',
  otherKind: 'another kind of parent',
  linksToNothing: 'links to no row that counts',
  notPicked: 'another row was picked',
  missingTable: 'a table of its join is missing',
  parentLeftOut: 'of a row that is left out',
  broken: 'cannot be read',
};

/** A row of a joined table that is joined to no imported row. */
export interface UnjoinedRow {
  readonly table: string;
  readonly line: number;
  /** Its own id, for finding it; null where it has none, and where the row cannot be read. */
  readonly id: string | null;
  /** The id that it is joined by; null where that is empty, and where the row cannot be read. */
  readonly parent: string | null;
  readonly reason: UnjoinedReason;
}

/** A number of rows, and the first of them. */
export interface RowsWithExamples {
  readonly rows: number;
  readonly examples: readonly {
    readonly line: number;
    /** The id that the row is joined by; null if it has none. Only unjoined.csv has it: other files store null. */
    readonly id: string | null;
  }[];
}

/** How many rows of a table are unjoined for one reason, and the first of these rows. */
export interface UnjoinedCount extends RowsWithExamples {
  /** The reason why the rows are unjoined. */
  readonly reason: UnjoinedReason;
}

/**
 * How the rows of a table that the source names are used; `rows` is the sum of `used`, `filtered` and all unjoined
 * rows.
 */
export interface TableUse {
  /** Its name. */
  readonly table: string;
  /** Whether its rows are imported, or joined to those that are. */
  readonly role: 'main' | 'joined';
  readonly rows: number;
  /** Imported, or joined to a row that is. */
  readonly used: number;
  /** The number of rows of the main table that use rows of this table. */
  readonly people: number;
  /** Left out by a condition of the source. */
  readonly filtered: number;
  /** The unjoined rows of the table, by reason. */
  readonly unjoined: readonly UnjoinedCount[];
  /** The imported rows that refer to this table by an id that none of its rows has; absent if there are none. */
  readonly unresolved?: RowsWithExamples | undefined;
}

/** How the rows of all tables of an input are used. */
export interface TableUseSummary {
  /** The main table first. */
  readonly named: readonly TableUse[];
  /** Tables that the source does not name; `rows` is null if they were not counted. */
  readonly others: readonly {
    /** Its name. */
    readonly table: string;
    readonly rows: number | null;
  }[];
}

/** Yields the unjoined rows in pages, and finally returns how the rows of all tables are used. */
export type UnjoinedRowPages = AsyncGenerator<readonly UnjoinedRow[], TableUseSummary, undefined>;
