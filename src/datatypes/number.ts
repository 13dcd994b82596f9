import * as z from 'zod';
import { formatTodoPlaceholder } from '../model/todo.ts';
import {
  createCellError,
  defineDataType,
  maxShortCellLength,
  type ParsedCell,
  quoteCell,
} from './data-type.ts';
import {
  type ColumnSample,
  calculateUnreadableShare,
  countCellsParsedAs,
  type GuessedRule,
  maxUnreadableShare,
  type ParsedCellCount,
} from './guess.ts';

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

/** The type number, sent as a JSON number; ambiguous numbers are rejected. */
export const numberDataType = defineDataType({
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
  filterKind: 'number',
  guess: { ways: waysOf, rule: guessedRule },
});

const spaces = '[ \\u00a0\\u2009\\u202f]';
const apostrophes = "['\\u2019]";

function numberShape(point: string, thousands: string | undefined): RegExp {
  const fraction = `(?:\\${point}(\\d+))?`;
  if (thousands === undefined) return new RegExp(`^([+-]?)(\\d+)${fraction}$`);
  const sign = thousands === ' ' ? spaces : thousands === "'" ? apostrophes : `\\${thousands}`;
  // The second shape is the Indian one: groups of two, and a last group of three.
  const grouped = `\\d{1,3}(?:${sign}\\d{3})+|\\d{1,2}(?:${sign}\\d{2})+${sign}\\d{3}|\\d+`;
  return new RegExp(`^([+-]?)(${grouped})${fraction}$`);
}

function parseNumber(
  cell: string,
  shape: RegExp,
  point: string,
  thousands: string | undefined,
): ParsedCell<number> {
  const found = cell.length <= maxShortCellLength ? shape.exec(cell.replace('\u2212', '-')) : undefined;
  if (!found) return createCellError(whatIsWrong(cell, point, thousands));
  const [, sign = '', whole = '', fraction = ''] = found;
  const digits = whole.replace(/\D/g, '');
  const value = Number(`${sign}${digits}.${fraction || '0'}`);
  if (digits.length + fraction.length > 15 && !isExact(value, digits, fraction)) {
    return createCellError(
      `${quoteCell(cell)} has more digits than a number can store exactly; use the type text.`,
    );
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
    return `${quoteCell(cell)} is ambiguous; set ${hint} (or what is right) in the mapping.`;
  }
  const example = thousands === undefined ? `1234${point}5` : `1${thousands}234${point}5`;
  return `${quoteCell(cell)} is not a number; a number looks like ${example} here, without units or currency signs.`;
}

interface NumberStyle {
  readonly name: string;
  readonly decimal?: '.' | ',';
  readonly thousands?: ',' | '.' | ' ' | "'";
}

/** The number styles that a draft recognizes, the most common first. */
const numberStyles: readonly NumberStyle[] = [
  { name: 'plain' },
  { name: 'decimal comma', decimal: ',' },
  { name: 'grouped by commas', thousands: ',' },
  { name: 'grouped by points', decimal: ',', thousands: '.' },
  { name: 'grouped by spaces, point', thousands: ' ' },
  { name: 'grouped by spaces, comma', decimal: ',', thousands: ' ' },
  { name: 'grouped by apostrophes', thousands: "'" },
];

const readers = numberStyles.map(({ name, ...written }) => ({
  name,
  reader: numberDataType.reader(written, {}),
}));

/** An IP address, whose points could be taken for thousands separators. */
const ipAddress = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

const currencyCodes = new Set(Intl.supportedValuesOf('currency'));
const currency = '(?:\\p{Sc}|\\p{Lu}{3}|Fr\\.?|kr\\.?|zł|Kč|Ft|лв|руб\\.?|Rp\\.?|RM|R\\$|US\\$|TL)';
const money = new RegExp(
  `^(?<sign>[-+\u2212]?)\\s*(?<before>${currency})?\\s*(?<amount>[-\u2212]?\\d[\\d.,' \\u00a0\\u202f\\u2019]*?)(?<round>[.,][-\u2013\u2014]+)?\\s*(?<behind>${currency})?$`,
  'u',
);

/** An amount of money; `round` is the dash in place of the cents, such as ".–" in "CHF 1'200.–". */
interface Money {
  readonly amount: string;
  readonly currency: string;
  readonly round: string;
}

/** Parses an amount such as "1.156,09 €"; undefined without a currency or a dash for cents, or with two currencies. */
function moneyOf(cell: string): Money | undefined {
  const { sign = '', before, amount = '', round = '', behind } = money.exec(cell)?.groups ?? {};
  const currency = before ?? behind ?? '';
  if ((currency === '' && round === '') || (before !== undefined && behind !== undefined)) return undefined;
  // Three capitals before a number may be a product code or a number plate.
  if (/^\p{Lu}{3}$/u.test(currency) && !currencyCodes.has(currency)) return undefined;
  return { amount: `${sign}${amount}`.trim(), currency, round };
}

/**
 * Returns the ways in which a cell can be parsed: the names of the number styles that fit, and also its currency and
 * the dash for cents, if it has them. Empty for a text that is not a number, for an IP address, and for a code with a
 * leading zero or plus or with at least 16 digits.
 */
function waysOf(cell: string): readonly string[] {
  if (cell.length > 40) return [];
  const { amount, currency, round } = moneyOf(cell) ?? { amount: cell, currency: '', round: '' };
  if (!/^[+-]?[\d.,' \u00a0\u202f\u2019]+$/.test(amount)) return [];
  if (/^[+-]?0\d/.test(amount) || /^\+/.test(amount) || /^\d{16,}$/.test(amount)) return [];
  if (ipAddress.test(amount)) return [];
  const ways = readers.flatMap(({ name, reader }) => (reader.read(amount).ok ? [name] : []));
  if (ways.length === 0) return [];
  return [
    ...ways,
    ...(currency === '' ? [] : [`${currencyWay}${currency}`]),
    ...(round === '' ? [] : [roundWay]),
  ];
}

const currencyWay = 'currency ';
const roundWay = 'without cents';

/**
 * For a number style, the style that it can be confused with: "1,234" may have a decimal comma or be grouped by commas.
 */
const ambiguousWith: ReadonlyMap<string, string> = new Map([
  ['decimal comma', 'grouped by commas'],
  ['plain', 'grouped by points'],
]);

const postalWords = new Set(
  'zip zipcode postal postcode postalcode plz postleitzahl codepostal codigopostal cep'.split(' '),
);

/** Returns true if a column has phones, faxes or postal codes, which are not numbers. */
function isCode({ name, role = '', words }: ColumnSample): boolean {
  if (['phone', 'mobile', 'fax'].includes(role) || words.some((word) => postalWords.has(word))) return true;
  return /^tel\.|^adr(?:\.|\.[^.]+\.)code$/i.test(name);
}

/**
 * Guesses the number style of a column, with a question if two styles fit; undefined for phones and postal codes, for
 * several currencies, and if too few cells are numbers.
 */
function guessedRule(column: ColumnSample, seen: readonly ParsedCellCount[]): GuessedRule | undefined {
  const rated = numberStyles.map((writing) => ({
    ...writing,
    reads: countCellsParsedAs(writing.name, seen),
  }));
  const best = rated.reduce((first, each) => (each.reads > first.reads ? each : first));
  const others = calculateUnreadableShare(column, best.reads);
  const all = new Set(seen.flatMap(({ ways }) => ways));
  const currencies = [...all].filter((way) => way.startsWith(currencyWay));
  // Amounts of several currencies are not comparable.
  if (isCode(column) || others > maxUnreadableShare || currencies.length > 1) return undefined;
  const currency = currencies[0]?.slice(currencyWay.length) ?? '';
  const pattern = [
    ...(currency === '' ? [] : [`\\s*${currency.replace(/[.$^*+?()[\]{}|\\]/g, '\\$&')}\\s*`]),
    ...(all.has(roundWay) ? ['[.,][-–—]+'] : []),
  ].join('|');
  const rival = rated.find(({ name }) => name === ambiguousWith.get(best.name));
  // A number without separators fits every style.
  const isDoubtful = rival?.reads === best.reads && !seen.every((each) => isReadAlike(best.name, each));
  const written = isDoubtful ? questionOf(best) : optionsOf(best);
  return {
    options: { ...(pattern !== '' && { replace: { pattern, with: '' } }), ...written },
    words: currency === '' ? wordsOf(best, isDoubtful) : `amounts in ${currency}`,
    others,
  };
}

function isReadAlike(way: string, { ways }: ParsedCellCount): boolean {
  return !ways.includes(way) || numberStyles.every(({ name }) => ways.includes(name));
}

function optionsOf({ decimal, thousands }: NumberStyle): GuessedRule['options'] {
  return { ...(decimal && { decimal }), ...(thousands && { thousands }) };
}

function questionOf({ decimal = '.' }: NumberStyle): GuessedRule['options'] {
  // The question asks for the thousands separator. If the answer is the other character, `decimal` separates the
  // decimals.
  const other = decimal === ',' ? '.' : ',';
  const question = `1${decimal}234 could be a decimal number or one thousand two hundred and thirty-four; write "${other}" for the first, "${decimal}" for the second`;
  return { thousands: formatTodoPlaceholder(question) };
}

function wordsOf({ decimal }: NumberStyle, isDoubtful: boolean): string {
  return decimal === ',' && !isDoubtful ? 'numbers with a decimal comma' : 'numbers';
}
