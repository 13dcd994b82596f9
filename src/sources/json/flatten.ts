import type { Cell } from '../../model/row.ts';
import { isJsonWhitespace, maxJsonDepth } from './raw-record.ts';

const longestColumn = 1000;
const mostElements = 100;

/** The reason why a valid JSON record cannot be flattened to cells. */
export type FlattenProblem = 'notObject' | 'tooDeep' | 'longColumn';

/**
 * Flattens an object in valid JSON to cells by path: `company.name`, `emails[0].value` for the first hundred elements
 * of an array, and the array itself as JSON text ('' if it is empty). Skips the top-level properties in `without`;
 * keeps numbers as written. Returns the problem of a record that cannot be flattened.
 */
export function flattenJsonObject(
  json: string,
  without: readonly string[] = [],
): ReadonlyMap<string, Cell> | FlattenProblem {
  return new Flattening(json, without).cells();
}

class Flattening {
  readonly #json: string;
  readonly #cells = new Map<string, Cell>();
  /** Columns with a literal dot or bracket in their name; a path of the same spelling does not replace them. */
  readonly #literal = new Set<string>();
  #at = 0;
  #problem: FlattenProblem | null = null;

  readonly #without: readonly string[];

  constructor(json: string, without: readonly string[]) {
    this.#json = json;
    this.#without = without;
  }

  cells(): ReadonlyMap<string, Cell> | FlattenProblem {
    this.#skipBlanks();
    if (this.#json[this.#at] !== '{') return 'notObject';
    this.#object(null, 1);
    return this.#problem ?? this.#cells;
  }

  /** Reads a value; skips it if the path is undefined. */
  #value(path: string | undefined, depth: number, literal: boolean): void {
    const character = this.#json[this.#at];
    if (character === '{') {
      const typed = readTypedValue(this.#json, this.#at);
      if (typed === undefined) this.#object(path, depth + 1);
      else this.#at = typed.end;
      if (typed !== undefined && path !== undefined) this.#set(path, typed.value, literal);
    } else if (character === '[') {
      this.#array(path, depth + 1, literal);
    } else if (character === '"') {
      const text = this.#string();
      if (path !== undefined) this.#set(path, parseJsonString(text), literal);
    } else {
      const word = this.#word();
      if (path !== undefined) this.#set(path, word === 'null' ? null : word, literal);
    }
  }

  /** Reads an object; the path is null for the record itself, undefined to skip the object. */
  #object(path: string | null | undefined, depth: number): void {
    this.#at += 1;
    if (!this.#mayEnter(depth)) return;
    for (this.#skipBlanks(); this.#json[this.#at] !== '}' && this.#goesOn(); this.#skipSeparator()) {
      const key = parseJsonString(this.#string());
      this.#skipSeparator();
      const own = path === null ? this.#ownColumn(key) : path === undefined ? undefined : `${path}.${key}`;
      if (own !== undefined && own.length > longestColumn) this.#problem ??= 'longColumn';
      this.#value(own, depth, path === null && /[.[]/.test(key));
    }
    this.#at += 1;
  }

  #ownColumn(key: string): string | undefined {
    return this.#without.includes(key) ? undefined : key;
  }

  #array(path: string | undefined, depth: number, literal: boolean): void {
    const from = this.#at;
    this.#at += 1;
    if (!this.#mayEnter(depth)) return;
    // Set first, so that the column of the array comes before those of its elements.
    if (path !== undefined) this.#set(path, '', literal);
    let index = 0;
    for (this.#skipBlanks(); this.#json[this.#at] !== ']' && this.#goesOn(); this.#skipSeparator()) {
      this.#value(
        path === undefined || index >= mostElements ? undefined : `${path}[${index}]`,
        depth,
        false,
      );
      index += 1;
    }
    this.#at += 1;
    if (path !== undefined && index > 0) this.#set(path, compact(this.#json.slice(from, this.#at)), literal);
  }

  #set(column: string, cell: Cell, literal: boolean): void {
    if (literal) this.#literal.add(column);
    else if (this.#literal.has(column)) return;
    this.#cells.set(column, cell);
  }

  #mayEnter(depth: number): boolean {
    if (depth > maxJsonDepth) this.#problem ??= 'tooDeep';
    return this.#problem === null;
  }

  /** True while there is text left and no problem was found. */
  #goesOn(): boolean {
    return this.#problem === null && this.#at < this.#json.length;
  }

  /** Reads a string with its quotes. */
  #string(): string {
    const from = this.#at;
    this.#at = findJsonStringEnd(this.#json, from);
    return this.#json.slice(from, this.#at);
  }

  /** Reads a number, true, false or null. */
  #word(): string {
    const from = this.#at;
    while (this.#at < this.#json.length && !endsWord(this.#json.charCodeAt(this.#at))) this.#at += 1;
    return this.#json.slice(from, this.#at);
  }

  #skipBlanks(): void {
    while (isJsonWhitespace(this.#json.charCodeAt(this.#at))) this.#at += 1;
  }

  #skipSeparator(): void {
    this.#skipBlanks();
    const character = this.#json[this.#at];
    if (character === ',' || character === ':') this.#at += 1;
    this.#skipBlanks();
  }
}

/**
 * Returns the index after the string that begins at `from`; the length of the text if the string is unclosed.
 */
export function findJsonStringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

/** True if a character ends a number, true, false or null. */
function endsWord(character: number): boolean {
  return character === 0x2c || character === 0x5d || character === 0x7d || isJsonWhitespace(character);
}

/** Returns the value of a JSON string, given with its quotes. */
export function parseJsonString(string: string): string {
  if (!string.includes('\\')) return string.slice(1, -1);
  const text: unknown = JSON.parse(string);
  return typeof text === 'string' ? text : string;
}

/** Removes the white space between the tokens of JSON. */
function compact(json: string): string {
  if (!/[ \n\r\t]/.test(json)) return json;
  let text = '';
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const bare = json.slice(at, quote === -1 ? json.length : quote);
    text += bare.replace(/[ \n\r\t]+/g, '');
    at = quote === -1 ? json.length : findJsonStringEnd(json, quote);
    if (quote !== -1) text += json.slice(quote, at);
  }
  return text;
}

/**
 * Matches a value of MongoDB's Extended JSON, as mongoexport writes the types that JSON does not have:
 * `{"$oid":"64b7…"}`, `{"$date":{"$numberLong":"1709547300000"}}`.
 */
const typedValue =
  /\{\s*"\$(?:oid|uuid|numberInt|numberLong|numberDouble|numberDecimal)"\s*:\s*"(?<plain>[^"\\]*)"\s*\}|\{\s*"\$date"\s*:\s*(?:"(?<date>[^"\\]*)"|(?<time>-?\d+)|\{\s*"\$numberLong"\s*:\s*"(?<long>-?\d+)"\s*\})\s*\}/y;

/** Reads the value of Extended JSON that begins at an index; undefined for any other object. Dates are ISO texts. */
function readTypedValue(
  json: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  typedValue.lastIndex = at;
  const groups = typedValue.exec(json)?.groups;
  if (groups === undefined) return undefined;
  const end = typedValue.lastIndex;
  const time = groups.time ?? groups.long;
  return { value: groups.plain ?? groups.date ?? isoOf(time ?? ''), end };
}

/** Returns a time in milliseconds as an ISO text; as it is where no day has it. */
function isoOf(time: string): string {
  const date = new Date(Number(time));
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
