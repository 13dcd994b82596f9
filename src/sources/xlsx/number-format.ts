import type { MomentFormat } from './serial-date.ts';

/** How a cell's number is shown, as far as that changes its text. */
export type NumberFormat =
  | { readonly kind: 'plain' }
  | ({ readonly kind: 'moment' } & MomentFormat)
  | { readonly kind: 'mask'; readonly mask: readonly MaskPart[] };

/** A place for a digit (with a zero where there is none), or text between digits. */
export type MaskPart = { readonly digit: '0' | '#' } | { readonly text: string };

const plain: NumberFormat = { kind: 'plain' };
const date: NumberFormat = { kind: 'moment', date: true, time: false, elapsed: false };
const time: NumberFormat = { kind: 'moment', date: false, time: true, elapsed: false };

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
export function builtInFormat(id: number): NumberFormat {
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
  return { kind: 'moment', date, time, elapsed: elapsed && !date };
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
  return saysMore(mask) ? { kind: 'mask', mask } : plain;
}

/** Points and slashes that are not quoted mean decimals and fractions. */
function isSeparator(kind: Token['kind'], text: string): boolean {
  return kind === 'literal' ? /^[ ()+./-]*$/.test(text) : kind === 'character' && /[ ()+-]/.test(text);
}

/** A mask says more than the number where it puts zeros in front, or writes a number as phones and ids are written. */
function saysMore(mask: readonly MaskPart[]): boolean {
  const digits = mask.filter((part) => 'digit' in part);
  const texts = mask.map((part) => ('text' in part ? part.text : '')).join('');
  const pads = digits.length > 1 && digits[0]?.digit === '0';
  const international = digits.length > 0 && texts.startsWith('+');
  const grouped = digits.length > 3 && /[()/.-]/.test(texts) && !texts.startsWith('-');
  return pads || international || grouped;
}
