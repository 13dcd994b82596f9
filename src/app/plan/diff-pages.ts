import type { SqliteFile } from '../../storage/sqlite.ts';

/** What a line of the diff has to have; a field that is not there is not asked for. */
export interface DiffFilter {
  readonly outcome?: string | undefined;
  /** Empty for rows of which nothing would change. */
  readonly kind?: string | undefined;
  readonly field?: string | undefined;
  /** Anywhere in the key, the field, or the value before or after. */
  readonly text?: string | undefined;
}

/** A value that would change, or a row of which nothing would. */
export interface DiffLine {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly outcome: string;
  readonly kind: string | null;
  readonly field: string | null;
  /** The beginning of it; null where nobody knows, or nothing is replaced. */
  readonly old: string | null;
  readonly new: string | null;
}

/** As much of a value as a line shows. */
const shownLength = 200;

/** Lines that are looked through before anything else has its turn: some 10 ms. */
const stride = 20_000;

/** Lines that pass a filter, found bit by bit: as many of them as were asked for, and no more. */
export class DiffLines {
  readonly #filter: DiffFilter;
  readonly #isWhole: boolean;
  #found = new Uint32Array(1_024);
  #count = 0;
  /** Lines that were looked through; all of them where `isDone`. */
  #looked = 0;
  #isDone = false;

  constructor(filter: DiffFilter) {
    this.#filter = filter;
    this.#isWhole = Object.values(filter).every((each) => each === undefined);
  }

  /** How many were found so far, and whether that is all of them. */
  get state(): { readonly found: number; readonly looked: number; readonly isDone: boolean } {
    return { found: this.#count, looked: this.#looked, isDone: this.#isDone };
  }

  /** Looks through one more stretch of the diff. */
  lookOn(file: SqliteFile): void {
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

  /** Those from the `from`th on that were found, `count` at the most. */
  page(file: SqliteFile, from: number, count: number): readonly DiffLine[] {
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

function conditionsOf({ outcome, kind, field, text }: DiffFilter): {
  sql: string;
  values: readonly string[];
} {
  const conditions: readonly (readonly [sql: string, values: readonly string[]])[] = [
    ...(outcome === undefined ? [] : [[' AND outcome = ?', [outcome]] as const]),
    ...(kind === undefined
      ? []
      : [kind === '' ? ([' AND kind IS NULL', []] as const) : ([' AND kind = ?', [kind]] as const)]),
    ...(field === undefined ? [] : [[' AND field = ?', [field]] as const]),
    ...(text === undefined || text === '' ? [] : [textCondition(text)]),
  ];
  return {
    sql: conditions.map(([sql]) => sql).join(''),
    values: conditions.flatMap(([, values]) => values),
  };
}

/** SQLite knows the two cases of ASCII letters alone: others are looked for as they are typed, and in either case. */
function textCondition(text: string): readonly [sql: string, values: readonly string[]] {
  const spellings = [
    ...new Set([text, text.toLowerCase(), text.toUpperCase()].map((each) => each.normalize())),
  ];
  const patterns = spellings
    .filter((each, n) => spellings.findIndex((other) => asciiFolded(other) === asciiFolded(each)) === n)
    .map((each) => `%${each.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const columns = ['key', 'field', 'old', 'new'];
  const pairs = patterns.flatMap((pattern) => columns.map((column) => [column, pattern] as const));
  return [
    ` AND (${pairs.map(([column]) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
    pairs.map(([, pattern]) => pattern),
  ];
}

function asciiFolded(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
