import { FatalError } from '../model/fatal-error.ts';
import { formatNameList, truncateText } from '../model/listed.ts';
import type { SourceItem } from '../model/row.ts';

/** A table of an input: its columns in order (null if unknown) and its number of items, broken ones included. */
export interface TableFacts {
  readonly name: string;
  /** The name with its database or schema. */
  readonly fullName?: string;
  readonly columns: readonly string[] | null;
  readonly items: number;
  /**
   * True if records omit empty values, as in JSON: a column that no record has then counts as empty, not as missing.
   */
  readonly open?: boolean;
}

/** The facts of an input of several tables after a complete reading. */
export interface TableSetFacts {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; the same bytes read the same way have the same fingerprint. */
  readonly fingerprint: string;
  readonly tables: readonly TableFacts[];
  /** Guesses and warnings, to be reported. */
  readonly notes: readonly string[];
  /** A sentence on where the input is cut off, or on a defect at its end; undefined if there is neither. */
  readonly truncated?: string | undefined;
  /** A sentence about a defect at the end of the input that was accepted (`unended: accept`); also in `notes`. */
  readonly unended?: string | undefined;
}

/** Items of one of several tables. */
export interface TableItems {
  readonly table: string;
  readonly items: readonly SourceItem[];
}

/** An input of several tables. */
export interface TableSet {
  /**
   * Scans the whole input once. Throws a FatalError if it cannot be read. With `wanted`, facts that take long
   * to determine are determined for these tables only.
   */
  inspect(signal: AbortSignal, wanted?: readonly string[] | null): Promise<TableSetFacts>;
  /**
   * Yields the items of one table from number `from` (0 is the first), in batches. Throws a FatalError for an unknown
   * table.
   */
  read(table: string, from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]>;
  /**
   * Yields the items of several tables in one reading; defined only if that is faster than a reading for each table.
   */
  readTogether?(tables: readonly string[], signal: AbortSignal): AsyncIterable<TableItems>;
}

const mostNamed = 60;

/** Finds a table by its exact name, else by its name ignoring case if only one table has it. */
export function findTableByName<T extends { readonly name: string }>(
  tables: readonly T[],
  wanted: string,
): T | undefined {
  const exact = tables.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const [alike, ...more] = tables.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return more.length === 0 ? alike : undefined;
}

/**
 * Returns the wanted table, or the only one if none is wanted. Otherwise throws a FatalError('input') that lists all.
 */
export function chooseTable<T extends Pick<TableFacts, 'name' | 'fullName' | 'items'>>(
  input: string,
  tables: readonly T[],
  wanted: string | undefined,
): T {
  const [only, second] = tables;
  const open = wanted === undefined && second === undefined ? only : undefined;
  const exact = tables.find(({ fullName }) => wanted !== undefined && fullName === wanted);
  const found = open ?? exact ?? (wanted === undefined ? undefined : findTableByName(tables, wanted));
  if (found !== undefined) return found;
  if (tables.length === 0)
    throw new FatalError('input', `${input} has no tables.`, {
      place: { file: input },
      next: 'Is it the right file? Choose another one.',
    });
  const what = wanted === undefined ? 'has several tables' : `has no table "${wanted}"; it has`;
  throw new FatalError('input', `${input} ${what}: ${withRows(tables)}.`, {
    place: { file: input },
    next: 'Choose one: "table: <name>".',
  });
}

function withRows(tables: readonly Pick<TableFacts, 'name' | 'items'>[]): string {
  const ordered = [...tables].sort((a, b) => b.items - a.items);
  const words = ordered.map(
    ({ name, items }) => `${truncateText(name, 60)} (${items} ${items === 1 ? 'row' : 'rows'})`,
  );
  return formatNameList(words, mostNamed);
}
