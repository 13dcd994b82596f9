import { formatNameList, truncateText } from '../model/listed.ts';
import { createInputError } from './plain-file.ts';
import { RowLayout } from './rows.ts';

/** A line near the beginning of a table, split into cells. */
export interface LeadingRow {
  /** The line number in a text file, or the row number in a sheet, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The number of leading lines that are searched for the header. */
export const maxHeaderSearchLines = 100;

const mostCandidates = 40;

/** The kinds of values that a column may hold, with the pattern of each. */
const kinds: readonly (readonly [name: string, shape: RegExp])[] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['date', /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ,].*)?$/],
  ['amount', /^[-+(]?\s*(?:\p{Sc}|\p{Lu}{2,3}\s)?\s*\d[\d.,'’\s]*(?:[-–—]|\s?(?:\p{Sc}|\p{Lu}{3}|%))?\)?$/u],
  ['phone', /^\(?[+\d][\d\s().\-–/+]{5,}$/],
  ['url', /^(?:https?:\/\/|www\.)\S+$/i],
  ['code', /^\p{L}{0,4}[-_.]?\d[\p{L}\d_-]*$/u],
];

interface ReadCell {
  readonly text: string;
  /** The kinds whose pattern the text matches. */
  readonly kinds: readonly string[];
}

interface Column {
  /** The kind of more than half of the values; undefined if there is none. */
  readonly kind: string | undefined;
  readonly values: ReadonlySet<string>;
}

/** The result of comparing a line with the columns below it. */
interface Fit {
  /** The number of distinct texts of the line in columns that have values below it. */
  readonly names: number;
  /**
   * The number of columns in which the line's cell is not of the same kind as the values below it: it looks like a
   * name.
   */
  readonly differs: number;
  /** The number of columns in which the line's cell looks like the values below. */
  readonly alike: number;
  /** The kinds of the columns counted in `alike`. */
  readonly kinds: ReadonlySet<string>;
}

interface HeaderCandidate<L> extends Fit {
  readonly line: L;
}

/**
 * Returns the line that is most likely the header: it has many distinct texts, and they look least like the values
 * below. Of equal lines, the first. Null if that line is itself data, or if there is none.
 */
export function detectHeader<L extends LeadingRow>(head: readonly L[]): L | null {
  const best = bestOf(head);
  return best === undefined || isData(best) ? null : best.line;
}

/**
 * True if the lines look like a table of contacts: they have a header of several names, or data without a
 * header.
 */
export function looksLikeContactTable(head: readonly LeadingRow[]): boolean {
  const best = bestOf(head);
  if (best === undefined) return false;
  return isData(best) || best.names > 2 || (best.names > 1 && best.differs > 0);
}

function bestOf<L extends LeadingRow>(head: readonly L[]): HeaderCandidate<L> | undefined {
  const lines = head.map(({ cells }) => cells.map(readCell));
  const weighed = head.slice(0, mostCandidates).flatMap((line, at) => {
    const own = lines[at] ?? [];
    // Concatenated exports repeat their header: the repetitions are not counted as values.
    const columns = columnsOf(lines.slice(at + 1).filter((other) => !isSame(other, own)));
    const fit = fitOf(own, columns);
    // A header has no row of data above it.
    const isBelowRows = lines.slice(0, at).some((above) => isRow(above, fitOf(above, columns), fit.names));
    return isBelowRows ? [] : [{ line, ...fit }];
  });
  const most = Math.max(0, ...weighed.map(({ names }) => names));
  const wide = weighed.filter(({ names }) => names * 2 >= most);
  return wide.reduce<HeaderCandidate<L> | undefined>(
    (first, each) => (first === undefined || isBetter(each, first) ? each : first),
    undefined,
  );
}

function readCell(cell: string): ReadCell {
  const text = cell.trim();
  return { text, kinds: kinds.flatMap(([name, shape]) => (shape.test(text) ? [name] : [])) };
}

function isSame(one: readonly ReadCell[], other: readonly ReadCell[]): boolean {
  return one.every(({ text }, at) => text === (other[at]?.text ?? ''));
}

function columnsOf(lines: readonly (readonly ReadCell[])[]): readonly Column[] {
  const width = Math.max(0, ...lines.map((cells) => cells.length));
  return Array.from({ length: width }, (_, at) => {
    const filled = lines.flatMap((cells) => cells[at] ?? []).filter(({ text }) => text !== '');
    const [kind] =
      kinds.find(([name]) => filled.filter((cell) => cell.kinds.includes(name)).length * 2 > filled.length) ??
      [];
    return { kind, values: new Set(filled.map(({ text }) => text)) };
  });
}

function fitOf(cells: readonly ReadCell[], columns: readonly Column[]): Fit {
  const names = new Set<string>();
  const found = new Set<string>();
  let differs = 0;
  let alike = 0;
  for (const [at, { kind, values }] of columns.entries()) {
    const cell = cells[at];
    if (cell === undefined || cell.text === '' || values.size === 0) continue;
    names.add(cell.text);
    if (kind === undefined) {
      if (values.has(cell.text)) alike += 1;
    } else if (cell.kinds.includes(kind)) {
      alike += 1;
      found.add(kind);
    } else differs += 1;
  }
  return { names: names.size, differs, alike, kinds: found };
}

function isRow(cells: readonly ReadCell[], { differs, alike }: Fit, names: number): boolean {
  return alike > differs && cells.filter(({ text }) => text !== '').length * 2 >= names;
}

/**
 * True if a later line is a better header than an earlier one: more of its cells differ from the values below
 * than look like them, and its weight is greater.
 */
function isBetter(later: Fit, earlier: Fit): boolean {
  return later.differs > later.alike && weight(later) > weight(earlier);
}

function weight({ names, differs, alike }: Fit): number {
  return names + differs - alike * 2;
}

/**
 * True if a line is data: it has an e-mail address or an international phone number, or values of several
 * kinds and no column name.
 */
function isData({ line, differs, alike, kinds: of }: HeaderCandidate<LeadingRow>): boolean {
  return line.cells.some(isIdentifier) || (differs === 0 && alike > 1 && of.size > 1);
}

function isIdentifier(cell: string): boolean {
  return /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/.test(cell) || /^\s*\+[\d\s().-]{8,}$/.test(cell);
}

/**
 * Creates the row layout of a header's cells; names are trimmed and without NULs. Throws a
 * FatalError('input') for two columns of one name, unless `duplicates` is `number`: then the second is
 * "Name.2". Several unnamed columns are allowed in either case: the second is ".2".
 */
export function createHeaderLayout(
  cells: readonly string[],
  duplicates: 'error' | 'number',
  file: string,
  line: number,
): RowLayout {
  const seen = new Map<string, number[]>();
  const taken = new Set<string>();
  const names = cells.map((cell, index) => {
    const name = cell.replaceAll('\0', '').trim();
    const places = seen.get(name) ?? [];
    places.push(index + 1);
    seen.set(name, places);
    let own = name;
    for (let number = places.length; taken.has(own); number += 1) own = `${name}.${number}`;
    taken.add(own);
    return own;
  });
  const doubled = [...seen].filter(([name, places]) => name !== '' && places.length > 1);
  if (duplicates === 'number' || doubled.length === 0) return new RowLayout(names);
  const list = formatNameList(
    doubled.map(
      ([name, places]) => `"${truncateText(name, 60)}" (columns ${formatNameList(places.map(String), 4)})`,
    ),
  );
  throw createInputError(
    file,
    `has columns with the same name: ${list}`,
    'Rename them, or set "duplicateHeaders: number" to call the second "Name.2".',
    line,
  );
}
