import type { SourceItem } from '../model/row.ts';

/** One table of an input: its columns in order (null where they are not known) and its number of items, broken ones included. */
export interface TableFacts {
  readonly name: string;
  readonly columns: readonly string[] | null;
  readonly items: number;
}

/** What one whole reading of an input of several tables has found out. */
export interface TableSetFacts {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; the same bytes read the same way have the same fingerprint. */
  readonly fingerprint: string;
  readonly tables: readonly TableFacts[];
  /** Guesses and oddities, to be said aloud. */
  readonly notes: readonly string[];
}

/** An input of several tables. */
export interface TableSet {
  /** Looks through the whole input once; throws a FatalError where it cannot be read at all. */
  inspect(signal: AbortSignal): Promise<TableSetFacts>;
  /** The items of one table from number `from` (0 is the first) on, in batches; an unknown table is a FatalError. */
  read(table: string, from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]>;
}
