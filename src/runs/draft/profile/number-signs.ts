import { dataTypes } from '../../../datatypes/index.ts';

/** How the numbers of a column are written. */
export interface NumberSigns {
  readonly decimal?: '.' | ',';
  readonly thousands?: ',' | '.' | ' ' | "'";
}

const ways: readonly { readonly name: string; readonly signs: NumberSigns }[] = [
  { name: 'plain', signs: {} },
  { name: 'decimal comma', signs: { decimal: ',' } },
  { name: 'grouped by commas', signs: { thousands: ',' } },
  { name: 'grouped by points', signs: { decimal: ',', thousands: '.' } },
  { name: 'grouped by spaces, point', signs: { thousands: ' ' } },
  { name: 'grouped by spaces, comma', signs: { decimal: ',', thousands: ' ' } },
  { name: 'grouped by apostrophes', signs: { thousands: "'" } },
];

const readers = ways.map(({ name, signs }) => ({ name, reader: dataTypes.number.reader(signs, {}) }));

/** The address of a computer; its points would part the thousands of a number where it has three digits each. */
const ipAddress = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

const currencyCodes = new Set(Intl.supportedValuesOf('currency'));
const currency = '(?:\\p{Sc}|\\p{Lu}{3}|Fr\\.?|kr\\.?|zł|Kč|Ft|лв|руб\\.?|Rp\\.?|RM|R\\$|US\\$|TL)';
const money = new RegExp(
  `^(?<sign>[-+\u2212]?)\\s*(?<before>${currency})?\\s*(?<amount>[-\u2212]?\\d[\\d.,' \\u00a0\\u202f\\u2019]*?)(?<round>[.,][-\u2013\u2014]+)?\\s*(?<behind>${currency})?$`,
  'u',
);

/** An amount of money without what says of which. */
export interface Money {
  readonly amount: string;
  /** The sign or the word of the currency, one way or the other; empty where none is written. */
  readonly currency: string;
  /** The dash that Swiss and Germans write for no cents: the ".–" of "CHF 1'200.–"; empty without one. */
  readonly round: string;
}

/** The amount in a cell such as "1.156,09 €"; undefined where no currency is written, or a cell is none. */
export function moneyOf(cell: string): Money | undefined {
  if (cell.length > 40) return undefined;
  const found = money.exec(cell)?.groups;
  const written = found?.before ?? found?.behind ?? '';
  const round = found?.round ?? '';
  if (found === undefined || (written === '' && round === '')) return undefined;
  if (found.before !== undefined && found.behind !== undefined) return undefined;
  // Three capitals before a number are often a product's or a plate's.
  if (/^\p{Lu}{3}$/u.test(written) && !currencyCodes.has(written)) return undefined;
  return { amount: `${found.sign ?? ''}${found.amount ?? ''}`.trim(), currency: written, round };
}

/** The ways in which a cell is a number. A number that begins with a zero is none: it is a code; nor is an IP address. */
export function numberWaysOf(cell: string): readonly string[] {
  const amount = moneyOf(cell)?.amount ?? cell;
  if (amount.length > 40 || !/^[+-]?[\d.,' \u00a0\u202f\u2019]+$/.test(amount)) return [];
  if (/^[+-]?0\d/.test(amount) || /^\+/.test(amount) || /^\d{16,}$/.test(amount)) return [];
  if (ipAddress.test(amount)) return [];
  return readers.flatMap(({ name, reader }) => (reader.read(amount).ok ? [name] : []));
}

/** How the numbers of a column are written, and the other way to read them where there are two. */
export interface NumberWriting {
  readonly signs: NumberSigns;
  readonly either?: NumberSigns;
  /** How many numbers are written in another way. */
  readonly unread: number;
}

/** The way that reads most cells, by how often each set of ways fitted one; null where there are none. */
export function numberWriting(seen: ReadonlyMap<string, number>): NumberWriting | null {
  const sets = [...seen].map(([key, count]) => ({ set: key.split('|'), count }));
  const all = sets.reduce((sum, { count }) => sum + count, 0);
  const reads = (name: string): number =>
    sets.reduce((sum, { set, count }) => sum + (set.includes(name) ? count : 0), 0);
  if (all === 0) return null;
  const rated = ways.map(({ name, signs }) => ({ name, signs, reads: reads(name) }));
  const best = rated.reduce((first, each) => (each.reads > first.reads ? each : first));
  // "1,234" alone is either one and a bit or more than a thousand; a number without any sign is read alike.
  const rival = doubts.find(([one]) => one === best.name)?.[1];
  const other = rated.find(({ name }) => name === rival);
  const unread = all - best.reads;
  const doubtful = other !== undefined && other.reads === best.reads && !isUnsigned(best.name, sets);
  return doubtful ? { signs: best.signs, either: other.signs, unread } : { signs: best.signs, unread };
}

const doubts: readonly (readonly [string, string])[] = [
  ['decimal comma', 'grouped by commas'],
  ['plain', 'grouped by points'],
];

/** Whether every cell that a way reads is a plain whole number, which all ways read. */
function isUnsigned(name: string, sets: readonly { set: readonly string[] }[]): boolean {
  return sets.every(({ set }) => !set.includes(name) || set.length === ways.length);
}
