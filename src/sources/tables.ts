import { FatalError } from '../model/fatal-error.ts';
import { listed, shortened } from '../model/listed.ts';
import type { SourceItem } from '../model/row.ts';

/** One table of an input: its columns in order (null where they are not known) and its number of items, broken ones included. */
export interface TableFacts {
  readonly name: string;
  /** With its database or schema, where tables have one. */
  readonly fullName?: string;
  readonly columns: readonly string[] | null;
  readonly items: number;
  /** Whether the columns are only those that some record has, as in JSON: one that is missing may be empty everywhere. */
  readonly open?: boolean;
}

/** What one whole reading of an input of several tables has found out. */
export interface TableSetFacts {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal; the same bytes read the same way have the same fingerprint. */
  readonly fingerprint: string;
  readonly tables: readonly TableFacts[];
  /** Guesses and warnings, to be reported. */
  readonly notes: readonly string[];
  /** Where the input breaks off, in a sentence. */
  readonly truncated?: string | undefined;
  /** What is wrong with its end and was accepted (unended: accept), in a sentence; it is among the notes. */
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
   * Looks through the whole input once; throws a FatalError where it cannot be read at all. Where tables are wanted, what
   * takes long is found out of these alone.
   */
  inspect(signal: AbortSignal, wanted?: readonly string[] | null): Promise<TableSetFacts>;
  /** The items of one table from number `from` (0 is the first) on, in batches; an unknown table is a FatalError. */
  read(table: string, from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]>;
  /** The items of several tables, as they come, where one reading gives them all sooner than one for each. */
  readTogether?(tables: readonly string[], signal: AbortSignal): AsyncIterable<TableItems>;
}

const mostNamed = 60;

/** The table of a name: exactly, else without regard to case where that is clear; undefined where there is none. */
export function tableNamed<T extends { readonly name: string }>(
  tables: readonly T[],
  wanted: string,
): T | undefined {
  const exact = tables.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const [alike, ...more] = tables.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  return more.length === 0 ? alike : undefined;
}

/** The table that is meant, which may be left open where there is only one. Throws a FatalError('input') that lists them all. */
export function chosenTable<T extends Pick<TableFacts, 'name' | 'fullName' | 'items'>>(
  input: string,
  tables: readonly T[],
  wanted: string | undefined,
): T {
  const [only, second] = tables;
  const open = wanted === undefined && second === undefined ? only : undefined;
  const exact = tables.find(({ fullName }) => wanted !== undefined && fullName === wanted);
  const found = open ?? exact ?? (wanted === undefined ? undefined : tableNamed(tables, wanted));
  if (found !== undefined) return found;
  const what = wanted === undefined ? 'has several tables' : `has no table "${wanted}"; it has`;
  throw new FatalError('input', `${input} ${what}: ${withRows(tables)}.`, {
    place: { file: input },
    next: 'Choose one: "table: <name>".',
  });
}

function withRows(tables: readonly Pick<TableFacts, 'name' | 'items'>[]): string {
  const ordered = [...tables].sort((a, b) => b.items - a.items);
  const words = ordered.map(
    ({ name, items }) => `${shortened(name, 60)} (${items} ${items === 1 ? 'row' : 'rows'})`,
  );
  return listed(words, mostNamed);
}
