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

/** The ways in which a cell is a number. A number that begins with a zero is none: it is a code. */
export function numberWaysOf(cell: string): readonly string[] {
  if (cell.length > 40 || !/^[+-]?[\d.,' \u00a0\u202f\u2019]+$/.test(cell)) return [];
  if (/^[+-]?0\d/.test(cell) || /^\+/.test(cell) || /^\d{16,}$/.test(cell)) return [];
  return readers.flatMap(({ name, reader }) => (reader.read(cell).ok ? [name] : []));
}

/** How all numbers of a column are written, and the other way to read them where there are two. */
export interface NumberWriting {
  readonly signs: NumberSigns;
  readonly either?: NumberSigns;
}

/** The way that reads every cell, by the sets of ways that were seen; null where there is none. */
export function numberWriting(seen: ReadonlyMap<string, number>): NumberWriting | null {
  const sets = [...seen.keys()].map((key) => key.split('|'));
  if (sets.length === 0) return null;
  const all = ways.filter(({ name }) => sets.every((set) => set.includes(name)));
  const [first] = all;
  if (first === undefined) return null;
  const names = all.map(({ name }) => name);
  // "1,234" alone is either; what every way reads has no sign in it at all.
  const other =
    first.name === 'decimal comma' && names.includes('grouped by commas')
      ? 'grouped by commas'
      : first.name === 'plain' && !names.includes('decimal comma') && names.includes('grouped by points')
        ? 'grouped by points'
        : undefined;
  const either = ways.find(({ name }) => name === other)?.signs;
  return either === undefined ? { signs: first.signs } : { signs: first.signs, either };
}
