/** The facts of a column from which a draft guesses its type. */
export interface ColumnSample {
  readonly name: string;
  /** The words of the name, in lower case. */
  readonly words: readonly string[];
  /** The role that the name suggests, such as `phone`; undefined for none. */
  readonly role: string | undefined;
  /** The number of rows with a value. */
  readonly filled: number;
  /** The number of sampled cells. */
  readonly looked: number;
  readonly longest: number;
  /** The distinct values with their counts; null if there are too many, or long ones. */
  readonly distinct: ReadonlyMap<string, number> | null;
}

/** The number of sampled cells that parse in exactly these ways, such as date formats. */
export interface ParsedCellCount {
  readonly ways: readonly string[];
  readonly count: number;
}

/** The guessed field rule of a column, and a description of its values. */
export interface GuessedRule {
  /** The keys of the field rule that only this type has; open questions are TODO placeholders. */
  readonly options: {
    readonly [key: string]: string | boolean | readonly string[] | { readonly [key: string]: string };
  };
  /** The description of the values, such as `web addresses`. */
  readonly words: string;
  /** The share of cells that do not fit the rule (0 to 1). */
  readonly others: number;
}

/** Recognizes columns of a data type for a draft mapping. */
export interface ColumnGuesser {
  /** True if other types take precedence, because nearly any cell fits this one. */
  readonly last?: true;
  /** Returns the ways, such as formats, in which a cell parses; `column` has the words of the column's name. */
  ways?(cell: string, column: readonly string[]): readonly string[];
  /** Returns the rule for a column of the type, else undefined; `seen` has the ways of its cells. */
  rule(column: ColumnSample, seen: readonly ParsedCellCount[]): GuessedRule | undefined;
}

/** A column is still taken for a type if at most this share of its cells does not fit it. */
export const maxUnreadableShare = 0.05;

/** Returns the number of sampled cells that parse in the given way. */
export function countCellsParsedAs(way: string, seen: readonly ParsedCellCount[]): number {
  return seen.reduce((sum, { ways, count }) => sum + (ways.includes(way) ? count : 0), 0);
}

/** Returns the share of the sampled cells that do not parse, given the number that do; 1 without cells. */
export function calculateUnreadableShare({ looked }: ColumnSample, reads: number): number {
  return looked === 0 ? 1 : (looked - reads) / looked;
}

/** Creates the guesser of a type whose cells are recognized by `fits`; `words` describes the values. */
export function createColumnGuesser(fits: (cell: string) => boolean, words: string): ColumnGuesser {
  return {
    ways: (cell) => (fits(cell) ? ['as it is'] : []),
    rule(column, seen) {
      const others = calculateUnreadableShare(column, countCellsParsedAs('as it is', seen));
      return others <= maxUnreadableShare ? { options: {}, words, others } : undefined;
    },
  };
}
