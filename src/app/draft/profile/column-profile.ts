import {
  type ColumnSample,
  contactFieldTypes,
  type DataTypeName,
  dataTypeNames,
  dataTypes,
  findDialledCountry,
  isEmailAddress,
  isPhoneWithoutCountryCode,
  isRoundedPhone,
  isWebLink,
  looksLikePhone,
  type ParsedCellCount,
  parseCountryCode,
  splitEmailAddresses,
  trimWhiteSpace,
} from '../../../datatypes/index.ts';
import { formatRowPlace, type RowPlace } from '../../../model/row-place.ts';
import type { ColumnRole } from '../columns/header-names.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import { findPhones } from './contact-rows.ts';
import { isPlaceholder } from './placeholders.ts';
import { ValueCounter } from './value-counts.ts';

const fewestPhoneDigits = 6;
const fewestCounted = 3;
const mostCells = 500;
const longestCell = 200;

/**
 * The minimum shares of words for which blanks are taken as separators of tags: words that occur in several cells
 * (`nearlyAll`), and words that occur both as the first of a cell and as a later one (`some`).
 */
const nearlyAll = 0.8;
const some = 0.3;

/**
 * Detects whether blanks separate the tags of a column: single tags occur again in other combinations, while
 * the words of one longer tag stay together.
 */
class TagWords {
  readonly #cells = new Set<string>();

  add(cell: string): void {
    if (cell.length <= longestCell && this.#cells.size < mostCells) this.#cells.add(cell);
  }

  get areParted(): boolean {
    const cells = [...this.#cells].map((cell) => cell.split(/\s+/u));
    const combined = cells.filter((words) => words.length > 1);
    const words = new Set(combined.flat());
    if (combined.length < 2) return false;
    const first = new Set(combined.map(([word]) => word));
    const later = new Set(combined.flatMap(([, ...others]) => others));
    const again = count(words, (word) => cells.filter((each) => each.includes(word)).length > 1);
    const moved = count(words, (word) => first.has(word) && later.has(word));
    return again >= words.size * nearlyAll && moved >= words.size * some;
  }
}

function count(words: ReadonlySet<string>, test: (word: string) => boolean): number {
  return [...words].filter(test).length;
}

/** The tests of single cells, besides the data types. */
const cellTests = {
  /** A valid phone number with its country code. */
  international: (cell: string) =>
    /^\(?(?:\+|00)/.test(cell) && looksLikePhone(cell) && contactFieldTypes.phone.parse(cell, undefined).ok,
  phoneShaped: looksLikePhone,
  phones: (cell: string) => findPhones(cell).length > 0,
  /** A number as long as a phone, or one that a spreadsheet has rounded, in whatever text. */
  longNumber: (cell: string) => cell.replace(/\D/gu, '').length >= fewestPhoneDigits || isRoundedPhone(cell),
  severalPhones: (cell: string) => findPhones(cell).length > 1,
  severalEmails: (cell: string) => splitEmailAddresses(cell).filter(isEmailAddress).length > 1,
  emails: (cell: string) => [cell, ...splitEmailAddresses(cell)].some(isEmailAddress),
  link: isWebLink,
  /** A plain number may be a dial code, but usually is something else. */
  country: (cell: string) => !/^\d+$/.test(cell) && parseCountryCode(cell) !== undefined,
  /** A dial code, also without a plus: 91. */
  dialCode: (cell: string) => findDialledCountry(cell) !== undefined,
  language: (cell: string) => contactFieldTypes.language.parse(cell, undefined).ok,
  /** One or more words starting with a capital, or a word in a script without capitals: it may be a name. */
  nameLike: (cell: string) => cell.length <= 40 && nameShape.test(cell),
  eastAsian: (cell: string) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(cell),
  /** A Russian or Ukrainian name with the patronymic at its end, which has the last name first. */
  patronymicLast: (cell: string) => /^\S+\s+\S+\s+\S+(?:вич|вна|чна|івна|ївна)$/iu.test(cell),
  severalWords: (cell: string) => /\S\s+\S/.test(cell),
  commaName: (cell: string) => /^[^,\d]+,\s*[^,\d]+$/.test(cell),
  array: (cell: string) => /^\[.*\]$/s.test(cell) && isJson(cell),
  /** A list in the notation of PostgreSQL or Python: `{vip,"new customer"}`, `['vip', 'new customer']`. */
  bracketed: (cell: string) => /^(?:\{[^{}:]*\}|\[\s*(?:'.*')?\s*\])$/s.test(cell),
  objects: (cell: string) => /^\[\s*\{/.test(cell),
  html: (cell: string) => /<(?:p|br|div|span|a|b|ul|li|table)\b[^>]*>/i.test(cell),
  /** A character reference of HTML, as CRMs store that escape their texts. */
  reference: (cell: string) =>
    /&(?:#\d+|#x[\da-f]+|amp|quot|apos|[lg]t|nbsp|[a-z](?:uml|acute|grave|circ|tilde|cedil|slash|ring)|szlig);/i.test(
      cell,
    ),
  digits: (cell: string) => /\d/.test(cell),
  /** A number such as #1001 or INV-17. */
  numbered: (cell: string) => /^(?:\p{Lu}{1,5}[-_/#])?[^\p{L}\s]*\d[^\p{L}\s]*$/u.test(cell),
  semicolon: (cell: string) => cell.includes(';'),
  comma: (cell: string) => cell.includes(','),
  bar: (cell: string) => cell.includes('|'),
  colons: (cell: string) => cell.includes(' ::: '),
  /** One of Google's own groups, such as `* myContacts`, among the labels of a contact. */
  ownGroup: (cell: string) => /(?:^|:::)\s*\*\s+\p{L}/u.test(cell),
  control: (cell: string) => cell.includes('\u0001'),
  quoted: (cell: string) => /^"[^"]*"(?:,"[^"]*")*$/.test(cell),
} as const satisfies Record<string, (cell: string) => boolean>;

type CellTest = keyof typeof cellTests;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const nameShape =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*|\p{Lo}+|(?:de|da|do|dos|van|von|der|den|la|le|bin|binti|al|el)\b)(?:\s+\S+)*$/u;

/** Words that old systems write for "nothing"; cells with one of them do not count as filled. */
const nullWords = new Set(['NULL', '\\N', '0000-00-00', '0000-00-00 00:00:00', '000000000000000AAA']);

/**
 * Matches a value with an apostrophe before it, which keeps a spreadsheet from changing the value: `'02101`, `'+1503…`.
 */
const guardedShape = /^'(?:[+\-=@]|\d[\d\s().,/-]*$)/;

/** Roles in which a repeated value may stand for "nothing". */
const identifying: ReadonlySet<string> = new Set<ColumnRole>([
  ...(['email', 'phone', 'mobile', 'firstName', 'lastName', 'fullName', 'name'] as const),
]);

const mostDistinct = 60;
const longestDistinct = 100;
const longestLooked = 2_000;
export const maxSampledPhones = 200;
const tests = Object.keys(cellTests).filter((name): name is CellTest => Object.hasOwn(cellTests, name));

/** The tests that also run on the beginning of a long text. */
const markupTests = ['html', 'reference'] as const;

interface Tally extends ParsedCellCount {
  readonly type: DataTypeName;
  count: number;
}

/** Profiles the cells of a column in memory that does not grow with the input. */
export class ColumnProfile implements ColumnSample {
  readonly name: string;
  readonly words: readonly string[];
  readonly role: ColumnRole | undefined;
  filled = 0;
  /** The number of cells that are a plain zero. */
  zeros = 0;
  looked = 0;
  longest = 0;
  /** The number of cells that begin with an apostrophe, and of those in which it only guards the value. */
  readonly apostrophes = { all: 0, guarding: 0 };
  /**
   * The number of checked values that repeat an earlier value of the same sheet, or that have over 100 characters.
   */
  repeated = 0;
  /** Words for "nothing" that were seen. */
  readonly nulls = new Set<string>();
  /** Texts that stand for "nothing" in a column of this role, as written, with their numbers of cells. */
  readonly placeholders = new Map<string, number>();
  /**
   * The number of phones in the checked cells, how many of them have no country code (`national`), and the place of the
   * first of these; and how many a spreadsheet has rounded. In a column named for phones, all cells count.
   */
  readonly phones: { shaped: number; national: number; at: string | undefined; rounded: number } = {
    shaped: 0,
    national: 0,
    at: undefined,
    rounded: 0,
  };
  /** A few phone numbers without a country code, to detect their country; they are never written anywhere. */
  readonly national: string[] = [];
  /** A few phone numbers with a country code. */
  readonly international: string[] = [];
  #countsRows = true;
  readonly #distinct = new Map<string, number>();
  #manyDistinct = false;
  readonly #looked = new Set<string>();
  readonly #passed = new Map<CellTest | DataTypeName, number>();
  readonly #ways = new Map<string, Tally>();

  /** Detects whether blanks separate the tags of the column; undefined unless its name is one for tags. */
  readonly tagWords: TagWords | undefined;

  /** The counts of its values; undefined unless they are requested or the column identifies people. */
  readonly values: ValueCounter | undefined;

  constructor(name: string, withValues = false) {
    this.name = name;
    this.words = splitColumnName(name);
    this.role = findColumnMeaning(name)?.role;
    this.tagWords = this.role === 'tags' ? new TagWords() : undefined;
    this.values = withValues || identifying.has(this.role ?? '') ? new ValueCounter() : undefined;
  }

  /** Adds the cell of a row; `closely` also runs the cell tests and the data types on it. */
  add(cell: string | null, row: RowPlace, closely: boolean): void {
    if (cell === null) return;
    const written = trimWhiteSpace(cell);
    if (written === '') return;
    if (nullWords.has(cell)) {
      this.nulls.add(cell);
      return;
    }
    if (isPlaceholder(written, this.role)) {
      this.placeholders.set(written, (this.placeholders.get(written) ?? 0) + 1);
      return;
    }
    this.filled += 1;
    const text = this.#withoutGuard(written);
    if (this.#countsRows && text !== String(this.filled)) this.#countsRows = false;
    if (text === '0') this.zeros += 1;
    if (closely || this.#isOfPhones) this.#countPhone(text, row);
    this.longest = Math.max(this.longest, text.length);
    this.values?.add(text);
    if (!this.#manyDistinct) this.#count(text);
    if (closely) this.#look(text, row.sheet ?? undefined);
  }

  /**
   * The distinct values in order of appearance, with their numbers of cells; null if there are many or long
   * ones.
   */
  get distinct(): ReadonlyMap<string, number> | null {
    return this.#manyDistinct ? null : this.#distinct;
  }

  /** Returns the share of the checked cells that pass a test, or fit a data type. */
  share(test: CellTest | DataTypeName): number {
    return this.looked === 0 ? 0 : (this.#passed.get(test) ?? 0) / this.looked;
  }

  /**
   * Returns the ways in which the column's checked cells can be parsed as a data type, with the number of cells for
   * each.
   */
  waysAs(type: DataTypeName): readonly ParsedCellCount[] {
    return [...this.#ways.values()].filter((tally) => tally.type === type);
  }

  /** True if its values are 1, 2, 3 … in the order of the rows: those of a newer file may count other people. */
  get countsRows(): boolean {
    return this.#countsRows && this.filled >= fewestCounted;
  }

  #withoutGuard(text: string): string {
    if (!text.startsWith("'")) return text;
    this.apostrophes.all += 1;
    if (!guardedShape.test(text)) return text;
    this.apostrophes.guarding += 1;
    return text.slice(1);
  }

  /** True if most apostrophes at the beginning of a cell only guard the value. */
  get isGuarded(): boolean {
    return this.apostrophes.guarding * 2 > this.apostrophes.all;
  }

  /** True if a checked cell has tags or character references of HTML; a cell without them shows as it is written. */
  get isHtml(): boolean {
    return this.share('html') > 0 || this.share('reference') > 0;
  }

  get #isOfPhones(): boolean {
    return this.role === 'phone' || this.role === 'mobile';
  }

  #countPhone(text: string, row: RowPlace): void {
    if (isRoundedPhone(text)) {
      this.phones.rounded += 1;
      return;
    }
    const phones = findPhones(text);
    const national = phones.filter(isPhoneWithoutCountryCode);
    this.phones.shaped += phones.length;
    this.phones.national += national.length;
    if (national.length > 0) this.phones.at ??= formatRowPlace(row);
  }

  #count(text: string): void {
    if (text.length > longestDistinct) this.#manyDistinct = true;
    else this.#distinct.set(text, (this.#distinct.get(text) ?? 0) + 1);
    if (this.#distinct.size > mostDistinct) this.#manyDistinct = true;
    if (this.#manyDistinct) this.#distinct.clear();
  }

  #look(text: string, system: string | undefined): void {
    this.looked += 1;
    this.tagWords?.add(text);
    const own = system === undefined ? text : `${system}\n${text}`;
    if (text.length > longestDistinct || this.#looked.has(own)) this.repeated += 1;
    else this.#looked.add(own);
    if (text.length > longestLooked) {
      const beginning = text.slice(0, longestLooked);
      for (const test of markupTests) if (cellTests[test](beginning)) this.#pass(test);
      return;
    }
    for (const test of tests) if (cellTests[test](text)) this.#pass(test);
    if (this.national.length < maxSampledPhones && !isRoundedPhone(text))
      this.national.push(...findPhones(text).filter(isPhoneWithoutCountryCode));
    if (this.international.length < maxSampledPhones && cellTests.international(text))
      this.international.push(text);
    for (const type of dataTypeNames) this.#read(text, type);
  }

  #read(text: string, type: DataTypeName): void {
    const { guess } = dataTypes[type];
    const ways = guess?.ways?.(text, this.words) ?? [];
    if (ways.length === 0) return;
    this.#pass(type);
    const key = [type, ...ways].join('|');
    const tally = this.#ways.get(key);
    if (tally === undefined) this.#ways.set(key, { type, ways, count: 1 });
    else tally.count += 1;
  }

  #pass(test: CellTest | DataTypeName): void {
    this.#passed.set(test, (this.#passed.get(test) ?? 0) + 1);
  }
}
