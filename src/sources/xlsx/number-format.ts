import type { XmlAttributes, XmlHandler } from './xml.ts';

/** The part of a number format that changes a cell's text: a date or time, a mask of digits, or nothing (`plain`). */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | ({ readonly kind: 'dateTime' } & DateTimeFormat)
  | { readonly kind: 'mask'; readonly mask: readonly MaskPart[] };

/** A digit of a mask (0 pads with a zero), or text between digits. */
type MaskPart = { readonly digit: '0' | '#' } | { readonly text: string };

const plain: NumberFormat = { kind: 'plain' };
const date: NumberFormat = { kind: 'dateTime', date: true, time: false, elapsed: false };
const time: NumberFormat = { kind: 'dateTime', date: false, time: true, elapsed: false };

/** The built-in date and time formats (ECMA-376, 18.8.30), East Asian ones included. */
const builtIn: readonly (readonly [first: number, last: number, format: NumberFormat])[] = [
  [14, 17, date],
  [18, 21, time],
  [22, 22, { ...time, date: true }],
  [27, 36, date],
  [45, 45, time],
  [46, 46, { ...time, elapsed: true }],
  [47, 47, time],
  [50, 58, date],
];

/** Returns a built-in number format; plain for an unknown id. */
function builtInFormat(id: number): NumberFormat {
  return builtIn.find(([first, last]) => id >= first && id <= last)?.[2] ?? plain;
}

/** Parses a format code such as `dd/mm/yyyy` or `00000`. */
export function parseNumberFormat(code: string): NumberFormat {
  const tokens = tokensOf(code);
  const characters = tokens.filter(({ kind }) => kind === 'character').map(({ text }) => text);
  const elapsed = tokens.some(({ kind, text }) => kind === 'bracket' && /^\[(h+|m+|s+)\]$/i.test(text));
  const bare = characters.join('').replace(/General/gi, '');
  if (!elapsed && !/[ymdhs]/i.test(bare)) return maskOf(tokens);
  const time = elapsed || /[hs]|a\/p|am\/pm/i.test(bare);
  const date = /[yd]/i.test(bare) || (!time && /m/i.test(bare));
  return { kind: 'dateTime', date, time, elapsed: elapsed && !date };
}

/**
 * Formats a whole number by a mask; returns null if the number is too short for the optional places (#) of
 * the mask.
 */
export function formatByMask(digits: string, mask: readonly MaskPart[]): string | null {
  const places = mask.filter((part) => 'digit' in part);
  const missing = places.length - digits.length;
  if (places.slice(0, Math.max(0, missing)).some(({ digit }) => digit === '#')) return null;
  const padded = digits.padStart(places.length, '0');
  let at = 0;
  let text = '';
  for (const part of mask) {
    if ('text' in part) text += part.text;
    else {
      // The first place of the mask takes all surplus digits.
      const end = at === 0 ? 1 + padded.length - places.length : at + 1;
      text += padded.slice(at, end);
      at = end;
    }
  }
  return text;
}

interface Token {
  readonly kind: 'literal' | 'bracket' | 'skip' | 'character';
  readonly text: string;
}

/** Returns the tokens of a format code's first section, which is for positive numbers. */
function tokensOf(code: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [whole, quoted, escaped, bracket, skip] of code.matchAll(
    /"([^"]*)"?|\\(.)|(\[[^\]]*\])|([_*].)|./gsu,
  )) {
    if (whole === ';') break;
    if (quoted !== undefined) tokens.push({ kind: 'literal', text: quoted });
    else if (escaped !== undefined) tokens.push({ kind: 'literal', text: escaped });
    else if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket });
    else if (skip !== undefined) tokens.push({ kind: 'skip', text: skip });
    else tokens.push({ kind: 'character', text: whole });
  }
  return tokens;
}

/** Returns the mask of a format that has only digits and separators, as for phones and ids; plain for any other. */
function maskOf(tokens: readonly Token[]): NumberFormat {
  const mask: MaskPart[] = [];
  let zeros = false;
  for (const { kind, text } of tokens) {
    if (kind === 'skip') continue;
    if (kind === 'character' && (text === '0' || text === '#')) {
      zeros ||= text === '0';
      mask.push({ digit: zeros ? '0' : '#' });
    } else if (isSeparator(kind, text)) mask.push({ text });
    else return plain;
  }
  return changesText(mask) ? { kind: 'mask', mask } : plain;
}

/** True if a token separates digits; unquoted points and slashes do not, because they mark decimals and fractions. */
function isSeparator(kind: Token['kind'], text: string): boolean {
  return kind === 'literal' ? /^[ ()+./-]*$/.test(text) : kind === 'character' && /[ ()+-]/.test(text);
}

/** True if a mask changes the text: it pads with zeros, or groups digits like a phone or an id. */
function changesText(mask: readonly MaskPart[]): boolean {
  const digits = mask.filter((part) => 'digit' in part);
  const texts = mask.map((part) => ('text' in part ? part.text : '')).join('');
  const pads = digits.length > 1 && digits[0]?.digit === '0';
  const international = digits.length > 0 && texts.startsWith('+');
  const grouped = digits.length > 3 && /[()/.-]/.test(texts) && !texts.startsWith('-');
  return pads || international || grouped;
}

const dayMillis = 86_400_000;
const lastDay = 2_958_465;

/** The parts that a date or time format shows. */
interface DateTimeFormat {
  readonly date: boolean;
  readonly time: boolean;
  /** True for a duration, whose hours may exceed 24. */
  readonly elapsed: boolean;
}

/**
 * Formats a serial number as `yyyy-mm-dd`, `yyyy-mm-dd HH:MM:SS` or `HH:MM:SS`; returns null for an invalid one. Counts
 * whole days and seconds, so that no time zone shifts it.
 */
export function formatSerialDateTime(
  serial: number,
  format: DateTimeFormat,
  from1904: boolean,
): string | null {
  if (!(serial >= 0)) return null;
  const seconds = Math.round(serial * 86_400);
  if (format.elapsed) return clock(seconds);
  const day = Math.floor(seconds / 86_400);
  const ofDay = seconds - day * 86_400;
  // The 1900 date system has no day 0: such a value is a time of day.
  const noDay = day === 0 && (!format.date || !from1904);
  if (noDay) return format.time || ofDay > 0 ? clock(ofDay) : null;
  const text = dayText(day, from1904);
  if (text === null) return null;
  return format.time || ofDay > 0 ? `${text} ${clock(ofDay)}` : text;
}

/**
 * Formats a date stored as text, `2024-01-31T09:30:00.000Z`, as `formatSerialDateTime` does; other text is unchanged.
 */
export function normaliseIsoDateTime(stored: string): string {
  const found = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/.exec(stored.trim());
  if (found === null) return stored;
  const [, date, minutes, seconds = ':00'] = found;
  return [date, minutes === undefined ? undefined : minutes + seconds].filter(Boolean).join(' ');
}

function dayText(day: number, from1904: boolean): string | null {
  const counted = from1904 ? day + 1462 : day;
  if (counted > lastDay) return null;
  // The 1900 date system counts 29 February 1900, which did not exist; earlier days are off by one.
  if (counted === 60) return '1900-02-29';
  const since = Date.UTC(1899, 11, counted < 60 ? 31 : 30);
  return new Date(since + counted * dayMillis).toISOString().slice(0, 10);
}

function clock(seconds: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The number formats of a workbook's cell styles, read from its styles part. */
export class CellStyles implements XmlHandler {
  readonly #codes = new Map<number, string>();
  readonly #formats: NumberFormat[] = [];
  readonly #known = new Map<number, NumberFormat>();
  #within = '';

  /** Returns the number format of a style; plain for an unknown one. */
  format(style: number): NumberFormat {
    return this.#formats[style] ?? { kind: 'plain' };
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'numFmts' || name === 'cellXfs') this.#within = name;
    else if (name === 'numFmt' && this.#within === 'numFmts')
      this.#codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    else if (name === 'xf' && this.#within === 'cellXfs')
      this.#formats.push(this.#byId(Number(attributes.numFmtId ?? 0)));
  }

  close(name: string): void {
    if (name === this.#within) this.#within = '';
  }

  #byId(id: number): NumberFormat {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const code = this.#codes.get(id);
    const format = code === undefined ? builtInFormat(id) : parseNumberFormat(code);
    this.#known.set(id, format);
    return format;
  }
}
