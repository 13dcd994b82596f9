import { dataTypes } from '../../../datatypes/index.ts';

interface DateFormat {
  readonly format: string;
  /** What a cell of the format looks like; only such cells are read, which is dear. */
  readonly shape: RegExp;
}

const time = '(?:[T ,].*)?$';

/** How dates are written in exports, the commonest first; a time behind the day is read over by the data type. */
const known: readonly DateFormat[] = [
  { format: 'yyyy-MM-dd', shape: shaped('\\d{4}-\\d{2}-\\d{2}') },
  { format: 'M/d/yyyy', shape: shaped('\\d{1,2}/\\d{1,2}/\\d{4}') },
  { format: 'd/M/yyyy', shape: shaped('\\d{1,2}/\\d{1,2}/\\d{4}') },
  { format: 'd.M.yyyy', shape: shaped('\\d{1,2}\\.\\d{1,2}\\.\\d{4}') },
  { format: 'yyyyMMdd', shape: shaped('(?:19|20)\\d{6}') },
  { format: 'yyyy/M/d', shape: shaped('\\d{4}/\\d{1,2}/\\d{1,2}') },
  { format: 'yyyy.M.d', shape: shaped('\\d{4}\\.\\d{1,2}\\.\\d{1,2}') },
  { format: 'yyyy-M-d', shape: shaped('\\d{4}-\\d{1,2}-\\d{1,2}') },
  { format: 'M-d-yyyy', shape: shaped('\\d{1,2}-\\d{1,2}-\\d{4}') },
  { format: 'd-M-yyyy', shape: shaped('\\d{1,2}-\\d{1,2}-\\d{4}') },
  { format: 'M/d/yy', shape: shaped('\\d{1,2}/\\d{1,2}/\\d{2}') },
  { format: 'd/M/yy', shape: shaped('\\d{1,2}/\\d{1,2}/\\d{2}') },
  { format: 'd.M.yy', shape: shaped('\\d{1,2}\\.\\d{1,2}\\.\\d{2}') },
  { format: 'd MMM yyyy', shape: shaped('\\d{1,2} [A-Za-z]{3} \\d{4}') },
  { format: 'd MMMM yyyy', shape: shaped('\\d{1,2} [A-Za-z]{3,9} \\d{4}') },
  { format: 'MMM d, yyyy', shape: shaped('[A-Za-z]{3} \\d{1,2}, \\d{4}') },
  { format: 'MMMM d, yyyy', shape: shaped('[A-Za-z]{3,9} \\d{1,2}, \\d{4}') },
  { format: 'd-MMM-yyyy', shape: shaped('\\d{1,2}-[A-Za-z]{3}-\\d{4}') },
  { format: 'd-MMM-yy', shape: shaped('\\d{1,2}-[A-Za-z]{3}-\\d{2}') },
  { format: "yyyy'年'M'月'd'日'", shape: shaped('\\d{4}年\\d{1,2}月\\d{1,2}日') },
];

function shaped(day: string): RegExp {
  return new RegExp(`^${day}${time}`);
}

const readers = known.map(({ format, shape }) => ({
  format,
  shape,
  reader: dataTypes.date.reader({ formats: [format] }, {}),
}));

/** The formats in which a cell is a day. */
export function dateFormatsOf(cell: string): readonly string[] {
  if (cell.length > 60 || !/\d/.test(cell)) return [];
  return readers.flatMap(({ format, shape, reader }) =>
    shape.test(cell) && reader.read(cell).ok ? [format] : [],
  );
}

/** How the dates of a column are written, as far as its cells tell. */
export interface DateWriting {
  readonly formats: readonly string[];
  /** Two formats that read the same cells, and mean different days by it. */
  readonly either?: readonly [string, string];
  /** How many cells are in none of the formats. */
  readonly unread: number;
}

const mostFormats = 3;
/** A format that reads fewer of the cells is somebody's slip. */
const rare = 0.02;

/**
 * The formats that together read the cells, the one that reads most first, by how often each set of formats fitted a cell.
 * Where a day-first and a month-first format read the cells alike, nothing but a person can say which is meant.
 */
export function dateWriting(seen: ReadonlyMap<string, number>): DateWriting | null {
  let open = [...seen].map(([key, count]) => ({ set: key.split('|'), count }));
  const all = open.reduce((sum, { count }) => sum + count, 0);
  const formats: string[] = [];
  while (open.length > 0 && formats.length < mostFormats) {
    const rated = known.map(({ format }) => ({ format, reads: readBy(format, open) }));
    const best = rated.reduce((first, each) => (each.reads > first.reads ? each : first));
    if (best.reads <= all * rare) break;
    formats.push(best.format);
    open = open.filter(({ set }) => !set.includes(best.format));
  }
  if (formats.length === 0) return null;
  const unread = open.reduce((sum, { count }) => sum + count, 0);
  const either = doubtIn(formats, seen);
  return either === undefined ? { formats, unread } : { formats, either, unread };
}

/** Two formats of which each would read all that the other reads, or that were both needed. */
function doubtIn(
  formats: readonly string[],
  seen: ReadonlyMap<string, number>,
): readonly [string, string] | undefined {
  const all = [...seen].map(([key, count]) => ({ set: key.split('|'), count }));
  for (const format of formats) {
    const other = known.find((each) => isSwapped(each.format, format))?.format;
    if (other === undefined) continue;
    if (formats.includes(other) || readBy(other, all) === readBy(format, all)) return [format, other];
  }
  return undefined;
}

function readBy(format: string, cells: readonly { set: readonly string[]; count: number }[]): number {
  return cells.reduce((sum, { set, count }) => sum + (set.includes(format) ? count : 0), 0);
}

/** Whether two formats differ only in which comes first, the day or the month. */
function isSwapped(one: string, other: string): boolean {
  const swapped = one.replace(/[Md]/g, (sign) => (sign === 'M' ? 'd' : 'M'));
  return one !== other && swapped === other;
}
