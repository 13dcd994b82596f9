/** How far a row of a joined table was reached; the greater one holds. */
export const reach = { none: 0, byRowLeftOut: 1, notPicked: 2, used: 3 } as const;

export type Reach = (typeof reach)[keyof typeof reach];

const reaches: readonly Reach[] = [reach.none, reach.byRowLeftOut, reach.notPicked, reach.used];

/** How far the rows of one table were reached, by their number: two bits each, so that five million take 1.25 MB. */
export class ReachedRows {
  readonly rows: number;
  readonly #bits: Uint8Array;
  #lastPerson = -1;
  /** How many rows of the main table use a row of it. */
  people = 0;

  constructor(rows: number) {
    this.rows = rows;
    this.#bits = new Uint8Array((rows >> 2) + 1);
  }

  of(number: number): Reach {
    return reaches[((this.#bits[number >> 2] ?? 0) >> ((number & 3) << 1)) & 3] ?? reach.none;
  }

  raise(number: number, to: Reach, person: number): void {
    const place = number >> 2;
    const shift = (number & 3) << 1;
    const bits = this.#bits[place] ?? 0;
    if (((bits >> shift) & 3) < to) this.#bits[place] = (bits & ~(3 << shift)) | (to << shift);
    if (to !== reach.used || this.#lastPerson === person) return;
    this.#lastPerson = person;
    this.people += 1;
  }
}

/** What one pass over the main table reaches of the joined ones. */
export class Reached {
  readonly main = { rows: 0, taken: 0, filtered: 0, broken: 0 };
  readonly #tables = new Map<string, ReachedRows>();
  #found: { readonly rows: ReachedRows; readonly number: number; readonly by: Reach }[] = [];

  /** Of a table with that many rows. */
  table(name: string, rows: number): ReachedRows {
    const known = this.#tables.get(name) ?? new ReachedRows(rows);
    this.#tables.set(name, known);
    return known;
  }

  /** Notes a row that belongs to the row of the main table at hand. */
  note(rows: ReachedRows, number: number, by: Reach): void {
    this.#found.push({ rows, number, by });
  }

  /** Says what becomes of the row of the main table at hand, and so of what belongs to it. */
  end(row: 'taken' | 'filtered' | 'broken'): void {
    const person = this.main.rows;
    this.main.rows += 1;
    this.main[row] += 1;
    if (this.#found.length === 0) return;
    for (const { rows, number, by } of this.#found)
      rows.raise(number, row === 'taken' ? by : reach.byRowLeftOut, person);
    this.#found = [];
  }
}
