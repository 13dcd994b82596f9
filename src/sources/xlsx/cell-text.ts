import type { Cell } from '../../model/row.ts';
import { WarningCounter } from '../warnings.ts';
import type { CellStyles } from './number-format.ts';
import {
  formatByMask,
  formatSerialDateTime,
  type NumberFormat,
  normaliseIsoDateTime,
} from './number-format.ts';
import type { SharedStringsReader } from './shared-strings.ts';
import { unescapeXlsxText } from './shared-strings.ts';
import { formatCellAddress, type SheetCell } from './sheet-rows.ts';

const mostSignificant = 15;
const mostShifted = 40;

/**
 * Formats a stored number as plain decimals: without an exponent (unless it is beyond ±40), a fraction
 * rounded to the 15 digits that a spreadsheet program shows (0.30000000000000004 is 0.3). Whole numbers keep
 * every digit.
 */
export function formatStoredNumber(stored: string): string {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(stored.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found ?? [];
  if (found === null || whole + fraction === '') return stored;
  const shift = Number(exponent);
  if (Math.abs(shift) > mostShifted) return String(Number(stored));
  const { before, after } = shifted(whole, fraction, shift);
  const tooFine =
    after !== '' && before.length <= mostSignificant && significant(before, after) > mostSignificant;
  const text = tooFine ? rounded(`${before}.${after}`) : joined(before, after);
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text;
}

/** True if a whole number has more digits than a spreadsheet program keeps. */
function mayBeTruncated(text: string): boolean {
  return text.length > mostSignificant && /^-?\d{16,}$/.test(text);
}

function shifted(whole: string, fraction: string, by: number): { before: string; after: string } {
  const digits = whole + fraction;
  const point = whole.length + by;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(0, point);
  // An id may be stored as a number with leading zeros: these are kept.
  const keep = by === 0 && fraction === '';
  const before = keep ? whole : padded.slice(0, at).replace(/^0+(?=.)/, '');
  return { before: before === '' ? '0' : before, after: padded.slice(at).replace(/0+$/, '') };
}

function significant(before: string, after: string): number {
  return (before + after).replace(/^0+/, '').length;
}

function rounded(plain: string): string {
  const [mantissa = '', exponent = '0'] = Number(plain)
    .toExponential(mostSignificant - 1)
    .split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const { before, after } = shifted(whole, fraction, Number(exponent));
  return joined(before, after);
}

function joined(before: string, after: string): string {
  return after === '' ? before : `${before}.${after}`;
}

/** The parts of a workbook that are needed to read a stored cell. */
export interface CellContext {
  readonly strings: SharedStringsReader;
  readonly styles: CellStyles;
  readonly from1904: boolean;
}

const words = {
  error: (count: number, first: string) =>
    `${count} ${count === 1 ? 'cell has an error' : 'cells have errors'} such as #N/A (${where(count, first)}); such a cell counts as empty.`,
  uncounted: (count: number, first: string) =>
    `${count} ${count === 1 ? 'formula has' : 'formulas have'} no stored value (${where(count, first)}); such a cell counts as empty. Open the workbook in a spreadsheet program and save it, so that formulas are calculated.`,
  long: (count: number, first: string) =>
    `${count} whole ${count === 1 ? 'number has' : 'numbers have'} more than 15 digits (${where(count, first)}). Spreadsheet programs keep only the first 15 of a number, so an id may have been cut before it was exported.`,
};

function where(count: number, first: string): string {
  return count === 1 ? first : `the first in ${first}`;
}

/** The warnings about a sheet's cells. */
export type CellWarningCounter = WarningCounter<keyof typeof words, string>;

export function createCellWarningCounter(): CellWarningCounter {
  return new WarningCounter(words);
}

/**
 * Returns the text of a cell; null for an error or a formula without a value, undefined for a reference to a missing
 * shared string.
 */
export function readCellText(
  cell: SheetCell,
  row: number,
  context: CellContext,
  warnings?: CellWarningCounter,
): Cell | undefined {
  const warn = (kind: keyof typeof words) => warnings?.add(kind, formatCellAddress(cell.column, row));
  // A formula with an empty result has the type `str`.
  if (cell.formula && cell.value === '' && cell.type !== 'str') {
    warn('uncounted');
    return null;
  }
  switch (cell.type) {
    case 's':
      return withoutNul(context.strings.at(Number(cell.value)));
    case 'inlineStr':
      return withoutNul(cell.value);
    case 'str':
      return withoutNul(unescapeXlsxText(cell.value));
    case 'b':
      return /^(1|true)$/i.test(cell.value.trim()) ? 'true' : 'false';
    case 'e':
      warn('error');
      return null;
    case 'd':
      return normaliseIsoDateTime(cell.value);
    default:
      return shown(cell.value, context.styles.format(cell.style), context.from1904, () => warn('long'));
  }
}

/** Returns true for a cell that is stored as a day, with or without a time, and not as text. */
export function isDateCell({ type, value, style }: SheetCell, { styles }: CellContext): boolean {
  if (type === 'd') return /^\d{4}-\d{2}-\d{2}/.test(value.trim());
  if (['s', 'inlineStr', 'str', 'b', 'e'].includes(type)) return false;
  const format = styles.format(style);
  return format.kind === 'dateTime' && format.date && !format.elapsed;
}

function shown(stored: string, format: NumberFormat, from1904: boolean, onLong: () => void): string {
  if (format.kind === 'dateTime') {
    const moment = formatSerialDateTime(Number(stored), format, from1904);
    if (moment !== null) return moment;
  }
  const text = formatStoredNumber(stored);
  if (mayBeTruncated(text)) onLong();
  const whole = format.kind === 'mask' && /^\d+$/.test(text);
  return whole ? (formatByMask(text, format.mask) ?? text) : text;
}

function withoutNul(text: string | undefined): string | undefined {
  return text?.includes('\0') === true ? text.replaceAll('\0', '') : text;
}
