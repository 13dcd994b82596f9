import type { SqliteConnection } from '../../storage/sqlite.ts';

/** The conditions on lines of the diff; an undefined one is not applied. */
export interface DiffFilter {
  readonly outcome?: string | undefined;
  /** A kind of change; empty for rows without changes. */
  readonly kind?: string | undefined;
  readonly field?: string | undefined;
  /** A text contained in the key, the field, or the old or new value. */
  readonly text?: string | undefined;
  /** Fields whose lines have the text, too, because their labels contain it. */
  readonly labelled?: readonly string[] | undefined;
}

/** A line of the diff: a value that would change, or a row without changes. */
export interface DiffLine {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly outcome: string;
  readonly kind: string | null;
  readonly field: string | null;
  /** The first 200 characters of the old value; null where it is unknown, or nothing is replaced. */
  readonly old: string | null;
  readonly new: string | null;
}

/** The maximum number of characters of a value that a line shows. */
const shownLength = 200;

/** The number of lines searched at a time: about 10 ms of work, so that the event loop is not blocked for long. */
const stride = 20_000;

/** Searches a diff for the lines that pass a filter, 20,000 lines per step. */
export class DiffSearch {
  readonly #filter: DiffFilter;
  readonly #isWhole: boolean;
  #found = new Uint32Array(1_024);
  #count = 0;
  /** The number of lines searched so far; equals the number of all lines once `isDone` is true. */
  #looked = 0;
  #isDone = false;

  constructor(filter: DiffFilter) {
    this.#filter = filter;
    this.#isWhole = Object.values(filter).every((each) => each === undefined);
  }

  /** The numbers of lines found and searched so far; `isDone` is true once all lines have been searched. */
  get state(): { readonly found: number; readonly looked: number; readonly isDone: boolean } {
    return { found: this.#count, looked: this.#looked, isDone: this.#isDone };
  }

  /** Searches the next 20,000 lines of the diff; without a filter, only counts all lines. */
  lookOn(file: SqliteConnection): void {
    if (this.#isDone) return;
    const from = this.#looked;
    const { sql, values } = conditionsOf(this.#filter);
    const passing = this.#isWhole
      ? []
      : file
          .prepare<unknown[], number>(`SELECT n FROM diff WHERE n >= ? AND n < ?${sql} ORDER BY n`)
          .pluck()
          .all(from, from + stride, ...values);
    this.#add(passing);
    const all = file.prepare<[], number>('SELECT coalesce(max(n) + 1, 0) FROM diff').pluck().get() ?? 0;
    this.#looked = this.#isWhole ? all : Math.min(all, from + stride);
    this.#isDone = this.#looked >= all;
    if (this.#isWhole) this.#count = all;
  }

  /** Returns at most `count` of the lines found so far, beginning at index `from`. */
  page(file: SqliteConnection, from: number, count: number): readonly DiffLine[] {
    const columns = `seq, line, key, outcome, kind, field, substr(old, 1, ${shownLength}) AS old, substr(new, 1, ${shownLength}) AS new`;
    if (this.#isWhole)
      return file
        .prepare<[number, number], DiffLine>(`SELECT ${columns} FROM diff WHERE n >= ? AND n < ? ORDER BY n`)
        .all(from, from + count);
    const one = file.prepare<[number], DiffLine>(`SELECT ${columns} FROM diff WHERE n = ?`);
    return [...this.#found.subarray(from, Math.min(this.#count, from + count))].flatMap(
      (n) => one.get(n) ?? [],
    );
  }

  #add(numbers: readonly number[]): void {
    const needed = this.#count + numbers.length;
    if (needed > this.#found.length) {
      const larger = new Uint32Array(Math.max(needed, this.#found.length * 2));
      larger.set(this.#found.subarray(0, this.#count));
      this.#found = larger;
    }
    this.#found.set(numbers, this.#count);
    this.#count = needed;
  }
}

function conditionsOf({ outcome, kind, field, text, labelled }: DiffFilter): {
  sql: string;
  values: readonly string[];
} {
  const conditions: readonly (readonly [sql: string, values: readonly string[]])[] = [
    ...(outcome === undefined ? [] : [[' AND outcome = ?', [outcome]] as const]),
    ...(kind === undefined
      ? []
      : [kind === '' ? ([' AND kind IS NULL', []] as const) : ([' AND kind = ?', [kind]] as const)]),
    ...(field === undefined ? [] : [[' AND field = ?', [field]] as const]),
    ...(text === undefined || text === '' ? [] : [textCondition(text, labelled)]),
  ];
  return {
    sql: conditions.map(([sql]) => sql).join(''),
    values: conditions.flatMap(([, values]) => values),
  };
}

/**
 * Returns the condition for lines that contain a text. LIKE ignores the case of ASCII letters only, so a text with
 * other letters is searched for as typed, in lower case and in upper case.
 */
function textCondition(
  text: string,
  labelled: readonly string[] = [],
): readonly [sql: string, values: readonly string[]] {
  const spellings = [
    ...new Set([text, text.toLowerCase(), text.toUpperCase()].map((each) => each.normalize())),
  ];
  const patterns = spellings
    .filter((each, n) => spellings.findIndex((other) => asciiFolded(other) === asciiFolded(each)) === n)
    .map((each) => `%${each.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const columns = ['key', 'field', 'old', 'new'];
  const pairs = patterns.flatMap((pattern) => columns.map((column) => [column, pattern] as const));
  const conditions = [
    ...pairs.map(([column]) => `${column} LIKE ? ESCAPE '\\'`),
    ...labelled.map(() => 'field = ?'),
  ];
  return [` AND (${conditions.join(' OR ')})`, [...pairs.map(([, pattern]) => pattern), ...labelled]];
}

function asciiFolded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
