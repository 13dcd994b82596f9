/**
 * The place of a row in its file or sheet, as a number: the line where it begins, from 1. A second or further row that
 * begins in the same line has its own number before nine digits of the line: 3000000042 is row 3 of line 42.
 */
export type RowLine = number;

/** The position of a row in its input. */
export interface RowPlace {
  /** Where it begins. */
  readonly line: RowLine;
  /** The row's sheet, where several sheets are one input; otherwise absent or null. */
  readonly sheet?: string | null | undefined;
}

/** The position of a row as JSON output shows it: without the property `sheet` if there is no sheet. */
export interface NormalisedRowPlace extends RowPlace {
  /** Its sheet, where several sheets are one input. */
  readonly sheet?: string;
}

// Decimal, so that people can read the number in JSON and in the journal.
const rowBase = 1_000_000_000;
const mostRowsOfLine = Math.floor(Number.MAX_SAFE_INTEGER / rowBase) - 1;

/** Returns the place of row number `row` (from 1) of those that begin in a line; the line alone beyond 9 million rows. */
export function createRowLine(line: number, row: number): RowLine {
  return row < 2 || row > mostRowsOfLine || line >= rowBase ? line : row * rowBase + line;
}

/** Returns the line where a row begins, and the row's number among those that begin there, from 1. */
export function splitRowLine(place: RowLine): { readonly line: number; readonly row: number } {
  const row = Math.floor(place / rowBase);
  return row < 2 ? { line: place, row: 1 } : { line: place % rowBase, row };
}

/** Compares the places of two rows in the order of the file. */
export function compareRowLines(one: RowLine, other: RowLine): number {
  const [a, b] = [splitRowLine(one), splitRowLine(other)];
  return a.line - b.line || a.row - b.row;
}

/** Returns the place of a row as lists show it and people type it: `42`, or `42, row 3`. */
export function formatRowLine(place: RowLine): string {
  const { line, row } = splitRowLine(place);
  return row === 1 ? `${line}` : `${line}, row ${row}`;
}

/** Parses what `formatRowLine` returns, in any case and spacing; undefined for any other text. */
export function parseRowLine(text: string): RowLine | undefined {
  const [, line, row = '1'] = /^\s*(\d{1,15})(?:\s*,?\s*row\s*(\d{1,15}))?\s*$/i.exec(text) ?? [];
  if (line === undefined) return undefined;
  const place = createRowLine(Number(line), Number(row));
  return splitRowLine(place).row === Number(row) ? place : undefined;
}

/**
 * Returns the line and the sheet of an object that has them, without its other properties and without an empty sheet.
 */
export function normaliseRowPlace({ line, sheet }: RowPlace): NormalisedRowPlace {
  return sheet ? { line, sheet } : { line };
}

/** Returns the position of a row for a sentence: `line 12`, `line 42, row 3`, or `row 12 of the sheet Nord`. */
export function formatRowPlace({ line, sheet }: RowPlace): string {
  return !sheet ? `line ${formatRowLine(line)}` : `row ${line} of the sheet ${sheet}`;
}

/**
 * Returns the positions of several rows: `lines 12, 14`, `lines 12, 14; line 42, rows 3, 7`, or
 * `rows 12, 14 of the sheet Nord, row 3 of the sheet Süd`.
 */
export function formatRowPlaces(places: readonly RowPlace[]): string {
  const bySheet = new Map<string, number[]>();
  for (const { line, sheet } of places) {
    const name = sheet ?? '';
    bySheet.set(name, [...(bySheet.get(name) ?? []), line]);
  }
  return [...bySheet]
    .map(([sheet, lines]) => {
      const [line = 0, ...more] = lines;
      if (more.length === 0) return formatRowPlace({ line, sheet });
      return sheet === '' ? formatLinesWithRows(lines) : `rows ${lines.join(', ')} of the sheet ${sheet}`;
    })
    .join(', ');
}

/** Returns the places of several rows of one file, the rows of one line together. */
function formatLinesWithRows(places: readonly RowLine[]): string {
  const byLine = new Map<number, number[]>();
  for (const { line, row } of places.map(splitRowLine)) byLine.set(line, [...(byLine.get(line) ?? []), row]);
  const isWhole = ([, rows]: readonly [number, readonly number[]]) => rows.every((row) => row === 1);
  const entries = [...byLine];
  const whole = entries.filter(isWhole).map(([line]) => line);
  const inLines = entries
    .filter((entry) => !isWhole(entry))
    .map(([line, rows]) => `line ${line}, ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}`);
  return [
    ...(whole.length === 0 ? [] : [`${whole.length === 1 ? 'line' : 'lines'} ${whole.join(', ')}`]),
    ...inLines,
  ].join('; ');
}
