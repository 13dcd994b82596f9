import { trimmed } from '../../../datatypes/index.ts';
import { type CellSign, cellSigns } from './cell-signs.ts';
import { dateFormatsOf } from './date-formats.ts';
import { type Money, moneyOf, numberWaysOf } from './number-signs.ts';

/** Words that old systems write for "nothing"; a cell of one of them does not count as filled. */
const nullWords = new Set(['NULL', '\\N', '0000-00-00', '0000-00-00 00:00:00', '000000000000000AAA']);

const mostDistinct = 60;
const longestDistinct = 100;
const longestLooked = 2_000;
const mostNumbers = 200;
const mostCurrencies = 5;
const signs = Object.keys(cellSigns).filter((name): name is CellSign => Object.hasOwn(cellSigns, name));

/** How often which set of readings fits a cell, and how many cells fit none. */
export interface Readings {
  readonly seen: ReadonlyMap<string, number>;
  readonly others: number;
}

/** What the cells of a column show, gathered in memory that does not grow with the input. */
export class ColumnProfile {
  readonly name: string;
  /** Rows with a value. */
  filled = 0;
  /** Rows with a value that were looked at closely. */
  looked = 0;
  longest = 0;
  /** Of the rows looked at, those whose value another one has, too. */
  repeated = 0;
  /** Words for "nothing" that were seen. */
  readonly nulls = new Set<string>();
  /** Currencies that stand with its numbers, and dashes for no cents. */
  readonly currencies = new Set<string>();
  readonly rounds = new Set<string>();
  /** A few phone numbers without a country code, to find out whose they are; they are never written anywhere. */
  readonly national: string[] = [];
  /** The same of numbers with one. */
  readonly international: string[] = [];
  readonly #distinct = new Map<string, number>();
  #manyDistinct = false;
  readonly #values = new Set<string>();
  readonly #signs = new Map<CellSign, number>();
  readonly #dates = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  #noDates = 0;
  #noNumbers = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Takes in the cell of a row; `closely` also for what it looks like. */
  add(cell: string | null, closely: boolean): void {
    if (cell === null) return;
    const text = trimmed(cell);
    if (text === '') return;
    if (nullWords.has(text)) {
      this.nulls.add(text);
      return;
    }
    this.filled += 1;
    this.longest = Math.max(this.longest, text.length);
    if (!this.#manyDistinct) this.#count(text);
    if (closely) this.#look(text);
  }

  /** The distinct values in the order in which they came, with their numbers; null where there are many or long ones. */
  get distinct(): ReadonlyMap<string, number> | null {
    return this.#manyDistinct ? null : this.#distinct;
  }

  /** The share of the cells looked at that show something. */
  share(sign: CellSign): number {
    return this.looked === 0 ? 0 : (this.#signs.get(sign) ?? 0) / this.looked;
  }

  get dates(): Readings {
    return { seen: this.#dates, others: this.#noDates };
  }

  get numbers(): Readings {
    return { seen: this.#numbers, others: this.#noNumbers };
  }

  #count(text: string): void {
    if (text.length > longestDistinct) this.#manyDistinct = true;
    else this.#distinct.set(text, (this.#distinct.get(text) ?? 0) + 1);
    if (this.#distinct.size > mostDistinct) this.#manyDistinct = true;
    if (this.#manyDistinct) this.#distinct.clear();
  }

  #look(text: string): void {
    this.looked += 1;
    if (text.length > longestDistinct || this.#values.has(text)) this.repeated += 1;
    else this.#values.add(text);
    if (text.length > longestLooked) return;
    for (const sign of signs) {
      if (cellSigns[sign](text)) this.#signs.set(sign, (this.#signs.get(sign) ?? 0) + 1);
    }
    if (this.national.length < mostNumbers && cellSigns.national(text)) this.national.push(text);
    if (this.international.length < mostNumbers && cellSigns.international(text))
      this.international.push(text);
    const dates = dateFormatsOf(text).join('|');
    if (dates === '') this.#noDates += 1;
    else this.#dates.set(dates, (this.#dates.get(dates) ?? 0) + 1);
    this.#noteMoney(moneyOf(text));
    const numbers = numberWaysOf(text).join('|');
    if (numbers === '') this.#noNumbers += 1;
    else this.#numbers.set(numbers, (this.#numbers.get(numbers) ?? 0) + 1);
  }

  #noteMoney(money: Money | undefined): void {
    if (money === undefined) return;
    if (money.currency !== '' && this.currencies.size < mostCurrencies) this.currencies.add(money.currency);
    if (money.round !== '' && this.rounds.size < mostCurrencies) this.rounds.add(money.round);
  }
}
