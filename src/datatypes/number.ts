import * as z from 'zod';
import { defineDataType, invalid, longestShort, type Parsed, quoted } from './data-type.ts';

const options = z.object({
  decimal: z
    .enum(['.', ','])
    .optional()
    .describe(
      'The character before the decimals: "." (the default) or ","; where thousands is ".", it is ",".',
    ),
  thousands: z
    .enum([',', '.', ' ', "'", '_'])
    .optional()
    .describe(
      'The character between groups of three digits; without it, a grouped number is rejected as ambiguous.',
    ),
});

/** A number, sent without quotation marks; what could be read in two ways is refused. */
export const number = defineDataType({
  name: 'number',
  options: options.refine(({ decimal, thousands }) => decimal === undefined || decimal !== thousands, {
    message: 'decimal and thousands must be different characters',
    path: ['thousands'],
  }),
  reader({ decimal, thousands }) {
    const point = decimal ?? (thousands === '.' ? ',' : '.');
    const shape = numberShape(point, thousands);
    return { readsEmpty: false, read: (cell) => parseNumber(cell, shape, point, thousands) };
  },
  same: (readBack, wanted) => Number(readBack) === Number(wanted),
});

const spaceSigns = '[ \\u00a0\\u2009\\u202f]';
const apostrophes = "['\\u2019]";

function numberShape(point: string, thousands: string | undefined): RegExp {
  const fraction = `(?:\\${point}(\\d+))?`;
  if (thousands === undefined) return new RegExp(`^([+-]?)(\\d+)${fraction}$`);
  const sign = thousands === ' ' ? spaceSigns : thousands === "'" ? apostrophes : `\\${thousands}`;
  // The second shape is the Indian one: groups of two, and three digits at the end.
  const grouped = `\\d{1,3}(?:${sign}\\d{3})+|\\d{1,2}(?:${sign}\\d{2})+${sign}\\d{3}|\\d+`;
  return new RegExp(`^([+-]?)(${grouped})${fraction}$`);
}

function parseNumber(
  cell: string,
  shape: RegExp,
  point: string,
  thousands: string | undefined,
): Parsed<number> {
  const found = cell.length <= longestShort ? shape.exec(cell.replace('\u2212', '-')) : undefined;
  if (!found) return invalid(whatIsWrong(cell, point, thousands));
  const [, sign = '', whole = '', fraction = ''] = found;
  const digits = whole.replace(/\D/g, '');
  const value = Number(`${sign}${digits}.${fraction || '0'}`);
  if (digits.length + fraction.length > 15 && !isExact(value, digits, fraction)) {
    return invalid(`${quoted(cell)} has more digits than a number can store exactly; use the type text.`);
  }
  return { ok: true, value: value === 0 ? 0 : value };
}

function isExact(value: number, digits: string, fraction: string): boolean {
  const written = `${digits}.${fraction}`.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, '');
  return String(Math.abs(value)) === written;
}

function whatIsWrong(cell: string, point: string, thousands: string | undefined): string {
  if (/^[+-]?[\d.,' _\u00a0\u202f\u2019]*\d$/.test(cell) && thousands === undefined) {
    const hint = point === '.' ? 'thousands: "," or decimal: ","' : 'thousands: "." or decimal: "."';
    return `${quoted(cell)} is ambiguous; set ${hint} (or what is right) in the mapping.`;
  }
  const example = thousands === undefined ? `1234${point}5` : `1${thousands}234${point}5`;
  return `${quoted(cell)} is not a number; a number looks like ${example} here, without units or currency signs.`;
}
