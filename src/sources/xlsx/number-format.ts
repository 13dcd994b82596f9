import type { Attributes, XmlHandler } from './xml.ts';

/** How a cell's number is shown, as far as that changes its text. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | ({ readonly kind: 'dateTime' } & DateTimeFormat)
  | { readonly kind: 'mask'; readonly mask: readonly MaskPart[] };

/** A place for a digit (with a zero where there is none), or text between digits. */
type MaskPart = { readonly digit: '0' | '#' } | { readonly text: string };

const plain: NumberFormat = { kind: 'plain' };
const date: NumberFormat = { kind: 'dateTime', date: true, time: false, elapsed: false };
const time: NumberFormat = { kind: 'dateTime', date: false, time: true, elapsed: false };

/** The moments among the formats that every workbook has (ECMA-376, 18.8.30), those of East Asian languages too. */
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

/** A format that every workbook has without saying so. */
function builtInFormat(id: number): NumberFormat {
  return builtIn.find(([first, last]) => id >= first && id <= last)?.[2] ?? plain;
}

/** What a format code such as `dd/mm/yyyy` or `00000` means for the text of a cell. */
export function formatOf(code: string): NumberFormat {
  const tokens = tokensOf(code);
  const characters = tokens.filter(({ kind }) => kind === 'character').map(({ text }) => text);
  const elapsed = tokens.some(({ kind, text }) => kind === 'bracket' && /^\[(h+|m+|s+)\]$/i.test(text));
  const bare = characters.join('').replace(/General/gi, '');
  if (!elapsed && !/[ymdhs]/i.test(bare)) return maskOf(tokens);
  const time = elapsed || /[hs]|a\/p|am\/pm/i.test(bare);
  const date = /[yd]/i.test(bare) || (!time && /m/i.test(bare));
  return { kind: 'dateTime', date, time, elapsed: elapsed && !date };
}

/** A whole number as a mask shows it; null where the mask does not show every digit. */
export function masked(digits: string, mask: readonly MaskPart[]): string | null {
  const places = mask.filter((part) => 'digit' in part);
  const missing = places.length - digits.length;
  if (places.slice(0, Math.max(0, missing)).some(({ digit }) => digit === '#')) return null;
  const padded = digits.padStart(places.length, '0');
  let at = 0;
  let text = '';
  for (const part of mask) {
    if ('text' in part) text += part.text;
    else {
      // The first place takes what there is too much.
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

/** The tokens of the first section: the one for positive numbers. */
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

/** The mask of a format that shows digits and the characters of phones and ids; plain where it shows anything else. */
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

/** Points and slashes that are not quoted mean decimals and fractions. */
function isSeparator(kind: Token['kind'], text: string): boolean {
  return kind === 'literal' ? /^[ ()+./-]*$/.test(text) : kind === 'character' && /[ ()+-]/.test(text);
}

/** A mask says more than the number where it puts zeros in front, or writes a number as phones and ids are written. */
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

/** How a number format shows a moment. */
interface DateTimeFormat {
  readonly date: boolean;
  readonly time: boolean;
  /** Hours go on beyond 24: a duration. */
  readonly elapsed: boolean;
}

/**
 * A serial number as `yyyy-mm-dd`, with a time `yyyy-mm-dd HH:MM:SS`, or as `HH:MM:SS` alone; null where it is no moment.
 * It is counted in whole days and seconds, so that no time zone can shift it.
 */
export function dateTimeText(serial: number, format: DateTimeFormat, from1904: boolean): string | null {
  if (!(serial >= 0)) return null;
  const seconds = Math.round(serial * 86_400);
  if (format.elapsed) return clock(seconds);
  const day = Math.floor(seconds / 86_400);
  const ofDay = seconds - day * 86_400;
  // The system of 1900 has no day 0: what is stored there is a time of day.
  const noDay = day === 0 && (!format.date || !from1904);
  if (noDay) return format.time || ofDay > 0 ? clock(ofDay) : null;
  const text = dayText(day, from1904);
  if (text === null) return null;
  return format.time || ofDay > 0 ? `${text} ${clock(ofDay)}` : text;
}

/** A moment that is stored as text, `2024-01-31T09:30:00.000Z`, in the same form; anything else is left as it is. */
export function isoDateTime(stored: string): string {
  const found = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/.exec(stored.trim());
  if (found === null) return stored;
  const [, date, minutes, seconds = ':00'] = found;
  return [date, minutes === undefined ? undefined : minutes + seconds].filter(Boolean).join(' ');
}

function dayText(day: number, from1904: boolean): string | null {
  const counted = from1904 ? day + 1462 : day;
  if (counted > lastDay) return null;
  // The system of 1900 has a 29 February of that year, which was none; before it, its days are one short.
  if (counted === 60) return '1900-02-29';
  const since = Date.UTC(1899, 11, counted < 60 ? 31 : 30);
  return new Date(since + counted * dayMillis).toISOString().slice(0, 10);
}

function clock(seconds: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The number formats of a workbook's cell styles, gathered from its styles part. */
export class Styles implements XmlHandler {
  readonly #codes = new Map<number, string>();
  readonly #formats: NumberFormat[] = [];
  readonly #known = new Map<number, NumberFormat>();
  #within = '';

  /** The format of the cells of a style; plain where there is no such style. */
  format(style: number): NumberFormat {
    return this.#formats[style] ?? { kind: 'plain' };
  }

  open(name: string, attributes: Attributes): void {
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
    const format = code === undefined ? builtInFormat(id) : formatOf(code);
    this.#known.set(id, format);
    return format;
  }
}
