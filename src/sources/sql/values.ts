import type { Cell } from '../../model/row.ts';
import { formatRowLine, type RowLine } from '../../model/row-place.ts';
import { createDecoder } from '../encoding/decoding.ts';
import { WarningCounter, type WarningFormatters } from '../warnings.ts';
import type { SqlDialect } from './dialect.ts';
import { findExpressionEnd, findSqlStringEnd, isSqlWhitespace } from './walk.ts';

const quote = 39;
const comma = 44;
const bracket = 41;
const backslash = 92;

/** Parses the values of tuples, with fast paths for plain strings, numbers and NULL. */
export class TupleParser {
  readonly #settings: ValueSettings;
  readonly #unescaped: (inside: string, quote: string) => string;
  #text = '';
  /** The index of the closing bracket of the tuple. */
  #last = 0;
  #end = 0;

  constructor(settings: ValueSettings) {
    const { dialect } = settings;
    this.#settings = settings;
    this.#unescaped = dialect.backslash ? (dialect.postgres ? postgresText : mysqlText) : standardText;
  }

  /** Parses a complete tuple with its brackets; returns null if it is not a list of values. */
  cells(text: string): Cell[] | null {
    this.#text = text;
    this.#last = text.length - 1;
    const cells: Cell[] = [];
    for (let at = 1; ; at = this.#end + 1) {
      while (at < this.#last && isSqlWhitespace(text.charCodeAt(at))) at += 1;
      if (at === this.#last) return cells.length === 0 ? cells : null;
      const cell = text.charCodeAt(at) === quote ? this.#string(at) : this.#word(at);
      if (cell === undefined) return null;
      cells.push(cell);
      if (this.#end === this.#last) return cells;
    }
  }

  #string(at: number): Cell | undefined {
    const text = this.#text;
    const plain = plainEnd(text, at);
    const end = plain === -1 ? findSqlStringEnd(text, at, this.#settings.dialect.backslash) : plain;
    if (text.charCodeAt(end) !== comma && end !== this.#last) return this.#expression(at);
    this.#end = end;
    const inside = text.slice(at + 1, end - 1);
    return plain === -1 ? this.#unescaped(inside, "'") : inside;
  }

  #word(at: number): Cell | undefined {
    const text = this.#text;
    const end = numberEnd(text, at);
    if (end > at && (end === this.#last || text.charCodeAt(end) === comma)) {
      this.#end = end;
      return text.slice(at, end);
    }
    if (!isNull(text, at)) return this.#expression(at);
    this.#end = at + 4;
    return null;
  }

  #expression(at: number): Cell | undefined {
    this.#end = findExpressionEnd(this.#text, at, this.#settings.dialect);
    const ended = this.#end === this.#last || this.#text.charCodeAt(this.#end) === comma;
    return !ended ? undefined : literalCell(this.#text.slice(at, this.#end), this.#settings);
  }
}

/** Returns the index after the closing quote of the string at `at`; -1 if the string may hold an escape. */
function plainEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === backslash) return -1;
    if (code === quote) return text.charCodeAt(next + 1) === quote ? -1 : next + 1;
  }
  return -1;
}

/** Returns the index after a plain number (minus, digits, one dot) at `at`; `at` if there is none. */
function numberEnd(text: string, at: number): number {
  let next = text.charCodeAt(at) === 45 ? at + 1 : at;
  const digits = next;
  let dots = 0;
  for (; ; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 46) dots += 1;
    else if (!(code >= 48 && code <= 57)) break;
  }
  return next === digits || dots > 1 ? at : next;
}

/** True if the value at `at` is NULL. */
function isNull(text: string, at: number): boolean {
  const after = text.charCodeAt(at + 4);
  if (after !== comma && after !== bracket) return false;
  const word = text.slice(at, at + 4);
  return word === 'NULL' || word === 'null';
}

type Evaluate = (argument: string) => Cell | undefined;

const castArgument = /^([\s\S]*)\sAS\s+[\w\s(),."[\]]+$/i;
const usingArgument = /^([\s\S]*)\sUSING\s+\w+$/i;

const unistrEscape = /\\(?:u([0-9a-f]{4})|\+([0-9a-f]{6})|([0-9a-f]{4})|(\\))/gi;

function isCodePoint(code: number): boolean {
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff;
}

/** The SQL functions that dumps write around values; each returns undefined for arguments that are not supported. */
const functions: Readonly<Record<string, (args: readonly string[]) => Cell | undefined>> = {
  REPLACE: ([text, what, by]) =>
    text === undefined || what === undefined || by === undefined
      ? undefined
      : text.replaceAll(what, () => by),
  CHAR: (args) => {
    const codes = args.map(Number);
    return codes.every(isCodePoint) ? String.fromCodePoint(...codes) : undefined;
  },
  UNISTR: ([text]) => {
    const codes = [...(text?.matchAll(unistrEscape) ?? [])].map(({ 1: hex, 2: long, 3: bare }) =>
      Number.parseInt(hex ?? long ?? bare ?? '5c', 16),
    );
    if (!codes.every(isCodePoint)) return undefined;
    return text?.replace(unistrEscape, () => String.fromCodePoint(codes.shift() ?? 0));
  },
  CONCAT: (parts) => parts.join(''),
  TO_DATE: ([text]) => text,
  TO_TIMESTAMP: ([text]) => text,
  JSON: ([text]) => text,
};

/** Evaluates a call of CAST, CONVERT or one of `functions`; undefined for anything else. */
function callOf(text: string, dialect: SqlDialect, evaluate: Evaluate): Cell | undefined {
  const begun = /^([A-Za-z_]\w*)\s*\(/.exec(text);
  if (begun === null || !text.endsWith(')')) return undefined;
  const name = begun[1]?.toUpperCase() ?? '';
  const inside = text.slice(begun[0].length, -1);
  if (name === 'CAST' || name === 'CONVERT') {
    const value = (name === 'CAST' ? castArgument : usingArgument).exec(inside)?.[1];
    return value === undefined ? undefined : evaluate(value.trim());
  }
  const give = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (give === undefined) return undefined;
  const cells: string[] = [];
  for (let at = 0; at <= inside.length; ) {
    const end = findExpressionEnd(inside, at, dialect);
    const cell = evaluate(inside.slice(at, end).trim());
    // A call with a NULL argument is not evaluated.
    if (cell === undefined || cell === null) return undefined;
    cells.push(cell);
    at = end + 1;
  }
  return give(cells);
}

interface ValueSettings {
  readonly dialect: SqlDialect;
  readonly warnings: SqlWarningCounter;
  readonly binaryText: BinaryFormatter;
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const hexNumber = /^0x([0-9a-f]*)$/i;
const bitNumber = /^0b([01]+)$/;
const cast = /::\s*(?:[A-Za-z_][\w. ]*|"[^"']*")(?:\([\d\s,]*\))?[\w\s]*(?:\[\])*$/;
/** The prefix of a string: a charset introducer, a letter, or a type name. */
const prefix =
  /^(?:(_[A-Za-z]\w*)\s*|(N|E|X|B|U&)|(?:DATE|TIME|TIMESTAMP|DATETIME|INTERVAL)(?:\s*\(\d\))?(?:\s+WITH(?:OUT)?\s+TIME\s+ZONE)?\s*)(?=['"])/i;
const trailer = /^(?:\s*COLLATE\s+[\w."]+)?$/i;
const longestCast = 120;

/** Parses a value; one of an unknown form stays as written, with a warning. Undefined if it is empty. */
function literalCell(written: string, settings: ValueSettings): Cell | undefined {
  const text = withoutComments(written.trim());
  if (text === '') return undefined;
  const found = knownCell(text, settings);
  if (found !== undefined) return found;
  settings.warnings.note('expression');
  return text;
}

/** Parses a value of a known form; undefined for any other. */
function knownCell(text: string, settings: ValueSettings): Cell | undefined {
  if (number.test(text)) return text;
  return wordCell(text, settings) ?? stringCell(text, settings) ?? nestedCell(text, settings);
}

function wordCell(text: string, { warnings }: ValueSettings): Cell | undefined {
  const digits = hexNumber.exec(text)?.[1];
  const bits = bitNumber.exec(text)?.[1];
  if (digits !== undefined || bits !== undefined) warnings.note('hex');
  if (digits !== undefined) return hexText(digits);
  if (bits !== undefined) return bitText(bits);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Parses a string with its prefix and COLLATE. */
function stringCell(text: string, settings: ValueSettings): Cell | undefined {
  const before = prefix.exec(text);
  const kind = (before?.[2] ?? '').toUpperCase();
  const found = joined(text, before?.[0].length ?? 0, kind, settings.dialect);
  if (found === null || !trailer.test(text.slice(found.end))) return undefined;
  const { whole } = found;
  // The bits stay as digits, as in PostgreSQL's COPY.
  if (kind === 'B' && settings.dialect.postgres) return whole;
  if (kind === 'X' || kind === 'B') {
    settings.warnings.note('hex');
    return kind === 'X' ? hexText(whole) : bitText(whole.replaceAll(/[^01]/g, ''));
  }
  if (before?.[1]?.toLowerCase() !== '_binary') return whole;
  const shown = settings.binaryText(whole);
  if (shown !== whole) settings.warnings.note('hex');
  return shown;
}

/** Joins adjacent strings from an index on; null if there is none. */
function joined(
  text: string,
  from: number,
  kind: string,
  dialect: SqlDialect,
): { whole: string; end: number } | null {
  let at = from;
  let whole = '';
  for (;;) {
    const quote = text.charAt(at);
    if (quote !== "'" && quote !== '"') return at === from ? null : { whole, end: at };
    const end = findSqlStringEnd(text, at, dialect.backslash || kind === 'E');
    if (end > text.length) return null;
    whole += insideText(text.slice(at + 1, end - 1), quote, kind, dialect);
    at = end;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
}

function insideText(
  inside: string,
  quote: string,
  kind: string,
  { backslash, postgres }: SqlDialect,
): string {
  if (kind === 'E' || (postgres && backslash)) return postgresText(inside);
  const text = backslash ? mysqlText(inside, quote) : standardText(inside, quote);
  if (kind !== 'U&') return text;
  return text.replace(/\\(?:\+([0-9a-f]{6})|([0-9a-f]{4})|(\\))/gi, (all, long?: string, short?: string) => {
    const point = Number.parseInt(long ?? short ?? '5c', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}

/** Parses NULL, DEFAULT, or a value in brackets, with a cast, in a dollar quote or in a function call. */
function nestedCell(text: string, settings: ValueSettings): Cell | undefined {
  if (/^null$/i.test(text)) return null;
  if (/^default$/i.test(text)) {
    settings.warnings.note('default');
    return null;
  }
  const dollar = /^(\$\w*\$)[\s\S]*\1$/.exec(text)?.[1];
  if (dollar !== undefined) return text.slice(dollar.length, -dollar.length);
  const casted = /['"`]$/.test(text) ? null : cast.exec(text.slice(-longestCast));
  if (casted !== null) return knownCell(text.slice(0, -casted[0].length).trim(), settings);
  if (text.startsWith('(') && findExpressionEnd(text, 1, settings.dialect) === text.length - 1)
    return knownCell(text.slice(1, -1).trim(), settings);
  return callOf(text, settings.dialect, (argument) => knownCell(argument, settings));
}

function withoutComments(text: string): string {
  const before = /^(?:\/\*[\s\S]*?\*\/\s*|--[^\n]*\n\s*)+/.exec(text)?.[0].length ?? 0;
  const behind = text.endsWith('*/') ? text.lastIndexOf('/*') : text.length;
  return text.slice(before, Math.max(before, behind)).trim();
}

const mysqlEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
  // MySQL keeps the backslash of these two outside of patterns.
  '%': '\\%',
  _: '\\_',
};
const postgresEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Unescapes the inside of a MySQL string; `quote` is its delimiter. */
function mysqlText(inside: string, quote: string): string {
  let text = '';
  let from = 0;
  for (let at = inside.indexOf('\\'); at !== -1; at = inside.indexOf('\\', from)) {
    const character = inside.charAt(at + 1);
    text += standardText(inside.slice(from, at), quote) + (mysqlEscapes[character] ?? character);
    from = at + 2;
  }
  return text + standardText(inside.slice(from), quote);
}

/** Unescapes the inside of a standard SQL string, in which quotes are doubled. */
function standardText(inside: string, quote: string): string {
  return inside.includes(quote) ? inside.replaceAll(quote + quote, quote) : inside;
}

/** Unescapes the inside of PostgreSQL's E'…'. */
function postgresText(inside: string): string {
  return inside.replace(
    /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\([\s\S])|''/g,
    (whole, short?: string, long?: string, bytes?: string, character?: string) => {
      const point = short ?? long;
      if (point !== undefined) return textOfPoint(point, whole);
      if (bytes !== undefined) return bytesText(bytes);
      return character === undefined ? "'" : (postgresEscapes[character] ?? character);
    },
  );
}

/** Unescapes a field of PostgreSQL's COPY. */
export function unescapeCopyField(field: string): string {
  return field.replace(
    /((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\([\s\S])/g,
    (_, bytes?: string, character?: string) =>
      bytes === undefined ? (postgresEscapes[character ?? ''] ?? character ?? '') : bytesText(bytes),
  );
}

function textOfPoint(hex: string, otherwise: string): string {
  const point = Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : otherwise;
}

/** Decodes octal and hexadecimal escapes: their bytes are UTF-8. */
function bytesText(escapes: string): string {
  const bytes = escapes
    .split('\\')
    .slice(1)
    .map(
      (code) => (code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)) & 0xff,
    );
  return Buffer.from(bytes).toString('utf8');
}

/** Formats a binary value that was decoded as text: unchanged if printable, else its bytes in hexadecimal, `0x…`. */
export type BinaryFormatter = (text: string) => string;

const unprintable = /(?![\t\n\r])[\p{Cc}\p{Surrogate}]/u;

/** Creates the formatter of the binary values of a dump in the given encoding. */
export function createBinaryFormatter(encoding: string): BinaryFormatter {
  const bytesOf = encoding === 'utf-8' ? utf8Bytes : singleBytes(encoding);
  return (text) => {
    if (!unprintable.test(text)) return text;
    const bytes = bytesOf(text);
    return bytes === null ? text : hexText(bytes.toString('hex'));
  };
}

/** Formats hexadecimal digits as a cell: `0x` and the digits in lower case; '' if there are none. */
function hexText(digits: string): string {
  return digits === '' ? '' : `0x${digits.toLowerCase()}`;
}

/** Formats the digits of a bit literal as a cell: 0 or 1 for a flag, else hexadecimal. */
function bitText(digits: string): string {
  const value = BigInt(`0b0${digits}`);
  return value <= 1n
    ? String(value)
    : hexText(value.toString(16).padStart(Math.ceil(digits.length / 8) * 2, '0'));
}

/** Formats a value of a BIT column, which may be written as bytes: 0 or 1 for a flag, else as a binary value. */
export function formatBitValue(cell: string, binaryText: BinaryFormatter): string {
  const shown = cell === '' ? '' : binaryText(cell);
  const flag = /^0x0*([01])$/.exec(shown)?.[1];
  return flag ?? shown;
}

function utf8Bytes(text: string): Buffer {
  const bytes: Buffer[] = [];
  // A lone surrogate stands for an undecodable byte, which is written here: see encoding/decoding.ts.
  for (const part of text.split(/(\p{Surrogate})/u)) {
    const code = part.charCodeAt(0);
    const standIn = part.length === 1 && code >= 0xdc00 && code < 0xdd00;
    bytes.push(standIn ? Buffer.of(code - 0xdc00) : Buffer.from(part));
  }
  return Buffer.concat(bytes);
}

/** Creates the function that encodes text in a single-byte encoding; it returns null for an unknown character. */
function singleBytes(encoding: string): (text: string) => Buffer | null {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const decoding = createDecoder(encoding);
    const character = decoding.write(Buffer.of(byte)) + decoding.end();
    if (character.length === 1 && !table.has(character)) table.set(character, byte);
  }
  return (text) => {
    const bytes = Buffer.alloc(text.length);
    for (let at = 0; at < text.length; at += 1) {
      const byte = table.get(text.charAt(at));
      if (byte === undefined) return null;
      bytes[at] = byte;
    }
    return bytes;
  };
}

/** A kind of value to report, because the cell is a conversion or a guess. */
type SqlWarning = 'hex' | 'expression' | 'default' | 'backslash';

const values = (count: number, line: RowLine) =>
  count === 1
    ? `A value (line ${formatRowLine(line)}) is`
    : `${count} values (the first in line ${formatRowLine(line)}) are`;

const words: WarningFormatters<SqlWarning, number> = {
  hex: (count, line) =>
    `${values(count, line)} binary: hexadecimal and bit literals, and bytes that are not text, are read as hexadecimal text (0x…), a single bit as 0 or 1.`,
  expression: (count, line) => `${values(count, line)} an expression, read as written.`,
  default: (count, line) => `${values(count, line)} DEFAULT, read as null.`,
  backslash: (count, line) =>
    `${values(count, line)} written with a backslash, which is read as MySQL's escape. If it is not one, set "escapes: standard".`,
};

/** Counts the warnings about the values of a dump, with the place of the first of each kind. */
export class SqlWarningCounter extends WarningCounter<SqlWarning> {
  /** The place of the record that is being parsed. */
  line: RowLine = 0;

  constructor() {
    super(words);
  }

  note(kind: SqlWarning): void {
    this.add(kind, this.line);
  }
}
