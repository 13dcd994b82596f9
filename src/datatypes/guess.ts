/** What a draft knows of a column when it asks of which type the column is. */
export interface SeenColumn {
  readonly name: string;
  /** The words of its name, in small letters. */
  readonly words: readonly string[];
  /** What its name says that it holds, as `phone`; undefined where it says nothing that is known. */
  readonly role: string | undefined;
  /** Rows with a value. */
  readonly filled: number;
  /** Rows whose value was looked at closely. */
  readonly looked: number;
  readonly longest: number;
  /** The different values with their numbers; null where there are many. */
  readonly distinct: ReadonlyMap<string, number> | null;
}

/** How many of the cells looked at can be read in exactly these ways. */
export interface SeenWays {
  readonly ways: readonly string[];
  readonly count: number;
}

/** How a column is read as a custom field. */
export interface GuessedRule {
  /** The type's own keys of the field rule; what only a person can know is a TODO. */
  readonly options: {
    readonly [key: string]: string | readonly string[] | { readonly [key: string]: string };
  };
  /** What to say of the values. */
  readonly words: string;
  /** The share of cells that are not of the type. */
  readonly others: number;
}

/** How a draft recognises the columns of a type. */
export interface ColumnGuess {
  /** Whether other types are asked first, because nearly any cell can be of this one. */
  readonly last?: true;
  /** The ways in which a cell can be of the type, none where it cannot; `column` is the words of the column's name. */
  ways?(cell: string, column: readonly string[]): readonly string[];
  /** The rule of a column that is of the type, else undefined; `seen` are the ways of its cells. */
  rule(column: SeenColumn, seen: readonly SeenWays[]): GuessedRule | undefined;
}

/** Of a column of a type, so many cells may be something else. */
export const toleratedShare = 0.05;

/** How many cells can be read in a way. */
export function readsOf(way: string, seen: readonly SeenWays[]): number {
  return seen.reduce((sum, { ways, count }) => sum + (ways.includes(way) ? count : 0), 0);
}

/** The share of cells that are not among those read. */
export function unread({ looked }: SeenColumn, reads: number): number {
  return looked === 0 ? 1 : (looked - reads) / looked;
}

/** The guess of a type whose cells show it one by one. */
export function guessByCells(fits: (cell: string) => boolean, words: string): ColumnGuess {
  return {
    ways: (cell) => (fits(cell) ? ['as it is'] : []),
    rule(column, seen) {
      const others = unread(column, readsOf('as it is', seen));
      return others <= toleratedShare ? { options: {}, words, others } : undefined;
    },
  };
}
