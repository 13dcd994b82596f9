import { contactFieldTypes, countryCodeOf, dataTypes, trimmed } from '../../../datatypes/index.ts';
import { dateFormatsOf } from './date-formats.ts';
import { foreignCountry } from './foreign-countries.ts';
import { type Money, moneyOf, numberWaysOf } from './number-signs.ts';

/** What single cells are tested for. */
const cellSigns = {
  email: (cell: string) => cell.includes('@') && contactFieldTypes.email.parse(cell, undefined).ok,
  /** A number with its country code that has been given out. */
  international: (cell: string) =>
    /^\(?(?:\+|00)/.test(cell) && isPhoneShaped(cell) && contactFieldTypes.phone.parse(cell, undefined).ok,
  phoneShaped: isPhoneShaped,
  /** A number that does not say its country. */
  national: (cell: string) => !/^\(?(?:\+|00)/.test(cell) && isPhoneShaped(cell),
  url: (cell: string) =>
    /^(?:https?:\/\/|www\.)/i.test(cell) && contactFieldTypes.profilePic.parse(cell, undefined).ok,
  /** The same, also where nothing stands before the host. */
  urlLike: (cell: string) => domainShape.test(cell) && contactFieldTypes.profilePic.parse(cell, undefined).ok,
  time: (cell: string) => /^\d{1,2}:\d{2}/.test(cell) && timeReader.read(cell).ok,
  country: (cell: string) => (countryCodeOf(cell) ?? foreignCountry(cell)) !== undefined,
  englishCountry: (cell: string) => countryCodeOf(cell) !== undefined,
  language: (cell: string) => contactFieldTypes.language.parse(cell, undefined).ok,
  /** A word or two that begin with capitals, or a word in a script without capitals: it may be a name. */
  nameLike: (cell: string) => cell.length <= 40 && nameShape.test(cell),
  severalWords: (cell: string) => /\S\s+\S/.test(cell),
  commaName: (cell: string) => /^[^,\d]+,\s*[^,\d]+$/.test(cell),
  list: (cell: string) => /^\[.*\]$/s.test(cell),
  objects: (cell: string) => /^\[\s*\{/.test(cell),
  html: (cell: string) => /<(?:p|br|div|span|a|b|ul|li|table)\b[^>]*>/i.test(cell),
  seconds: (cell: string) => /^\d{9,10}$/.test(cell),
  milliseconds: (cell: string) => /^\d{12,13}$/.test(cell),
  semicolon: (cell: string) => cell.includes(';'),
  comma: (cell: string) => cell.includes(','),
  bar: (cell: string) => cell.includes('|'),
  colons: (cell: string) => cell.includes(' ::: '),
  control: (cell: string) => cell.includes('\u0001'),
} as const satisfies Record<string, (cell: string) => boolean>;

type CellSign = keyof typeof cellSigns;

const timeReader = dataTypes.time.reader({}, {});
const nameShape =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}+|(?:de|da|do|dos|van|von|der|den|la|le|bin|binti|al|el)\b)(?:\s+\S+)*$/u;

const domainShape =
  /^(?:https?:\/\/)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/iu;

const fewestDigits = 6;
const mostDigits = 17;

/** Whether a cell could be a phone number, whatever its country: digits, what people put between them, an extension. */
function isPhoneShaped(cell: string): boolean {
  const bare = cell.replace(/\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i, '').replace(/^tel:/i, '');
  if (!/^[+(\d][\d\s().\-–—/+]*$/.test(bare)) return false;
  if (/^\d{4}-\d{2}-\d{2}/.test(bare) || /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(bare)) return false;
  const digits = bare.replace(/\D/g, '').length;
  return digits >= fewestDigits && digits <= mostDigits;
}

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
