import { DateTime } from 'luxon';
import * as z from 'zod';
import { formatTodoPlaceholder } from '../model/todo.ts';
import {
  type CellReader,
  createCellError,
  defineDataType,
  maxShortCellLength,
  memoize,
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

const locale = 'en-US';
const mostRemembered = 5_000;

/** The schema of the keys of a date rule. */
export const dateOptionsSchema = z.object({
  formats: z
    .array(z.string().min(1).refine(namesADay, { error: notADayFormat }))
    .min(1)
    .optional()
    .describe(
      'How dates are written, tried in order: MM/dd/yyyy, d.M.yyyy, d MMM yyyy …, epoch (seconds since 1970, the day in UTC), epochMillis; by default yyyy-MM-dd.',
    ),
  birthDate: z
    .boolean()
    .optional()
    .describe(
      'It is the date of birth: rows and contacts with different ones are not taken for one person without a question, unless their keys are equal. The first such field counts.',
    ),
});

/** The type date: a calendar day as `yyyy-mm-dd`, never an instant, so that no time zone shifts it. */
export const dateDataType = defineDataType({
  options: dateOptionsSchema,
  reader({ formats }) {
    const parse = formats ? byFormats(formats) : parseIsoDay;
    const expected = (formats ?? ['yyyy-MM-dd']).join(' or ');
    return {
      readsEmpty: false,
      // Parsing is slow, and a column has few distinct dates.
      read: memoize(mostRemembered, (cell): ParsedCell<string> => {
        const short = cell.length <= maxShortCellLength;
        const plain = short ? toPlainDigits(cell) : '';
        const day = short ? (parse(plain) ?? parse(plain.replace(timeOfDay, ''))) : undefined;
        if (day !== undefined) return { ok: true, value: day };
        if (withoutYear.test(plain))
          return createCellError(
            `${quoteCell(cell)} is a day and a month without a year, as address books write a birthday; a date needs the year. A field of type text keeps it.`,
          );
        return createCellError(
          `${quoteCell(cell)} is not a date; expected an existing day, written ${expected}.`,
        );
      }),
    };
  },
  same: (readBack, wanted) => dayOf(readBack) === dayOf(String(wanted)),
  filterKind: 'timestamp',
  guess: { ways: formatsOf, rule: guessedRule },
});

// A time after a date is ignored, also with fractions of a second, with a word such as "at" or "Uhr", and with a time
// zone (real files even have two).
const timeOfDay =
  /(?:T|,?\s+(?:at |um |à )?)\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?|Uhr|h)?\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)*$/;
/** The time of day in a cell; no match where it is midnight. */
const lostTime = /(?:^|[T\s,])(?!(?:0?0:00(?::00)?|12:00(?::00)?\s*[Aa])(?:\D|$))\d{1,2}:\d{2}/;
/** A birthday without its year, as Google Contacts and vCards write it: --05-14. */
const withoutYear = /^--\d{2}-?\d{2}$/;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Arabic-Indic and full-width digits. Persian and Thai ones are not read: their years are mostly of another calendar. */
const otherDigits = /[\u0660-\u0669\uff10-\uff19]/g;
/** The marks of the writing direction that Arabic systems put between the parts of a date. */
const directionMarks = /[\u061c\u200e\u200f]/g;

function toPlainDigits(cell: string): string {
  if (cell.search(otherDigits) === -1) return cell;
  return cell.replace(directionMarks, '').replace(otherDigits, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/**
 * Creates the test whether a date in a cell, as these rules of the type date read it, has a time of day other than
 * midnight, which the type leaves out. The rules must satisfy the schema of its options.
 */
export function createTimeOfDayTest(rules: readonly object[]): (cell: string) => boolean {
  const formats = rules.flatMap((rule) => dateOptionsSchema.parse(rule).formats ?? []);
  const readers = formats.some((format) => epochs.has(format))
    ? formats.map((format) => ({ read: readerOf(format), millis: epochMillis.get(format) }))
    : [];
  return (cell) => {
    if (cell.length > maxShortCellLength) return false;
    const number = toPlainDigits(cell.trim());
    const found = readers.find(({ read }) => read(number) !== undefined);
    if (found?.millis === undefined) return lostTime.test(number);
    return instantOf(number, found.millis)?.startOf('day').toMillis() !== Number(number) * found.millis;
  };
}

function parseIsoDay(cell: string): string | undefined {
  const found = isoDay.exec(cell);
  return found ? dayText(Number(found[1]), Number(found[2]), Number(found[3])) : undefined;
}

type DayReader = (cell: string) => string | undefined;

function byFormats(formats: readonly string[]): DayReader {
  const readers = formats.map(readerOf);
  return (cell) => {
    for (const read of readers) {
      const day = read(cell);
      if (day !== undefined) return day;
    }
    return undefined;
  };
}

function readerOf(format: string): DayReader {
  return epochs.get(format) ?? byFormat(format);
}

function byFormat(format: string): DayReader {
  const parser = DateTime.buildFormatParser(format, { locale });
  return (cell) => {
    // setZone keeps the day as written when the format has a zone.
    const found = DateTime.fromFormatParser(cell, parser, { locale, zone: 'utc', setZone: true });
    return found.isValid ? dayText(found.year, found.month, found.day) : undefined;
  };
}

/** The length of a unit of each epoch format, in ms. */
const epochMillis: ReadonlyMap<string, number> = new Map([
  ['epoch', 1000],
  ['epochMillis', 1],
]);

/** Epoch formats: the only dates that are instants; their day is in UTC. */
const epochs: ReadonlyMap<string, DayReader> = new Map(
  [...epochMillis].map(([format, millis]) => [format, byEpoch(millis)]),
);

function byEpoch(millis: number): DayReader {
  return (cell) => {
    const found = instantOf(cell, millis);
    return found && dayText(found.year, found.month, found.day);
  };
}

/** Returns the instant, in UTC, of a number of units since 1970; `millis` is the length of a unit in ms. */
function instantOf(cell: string, millis: number): DateTime | undefined {
  if (!/^-?\d{1,15}(?:\.\d+)?$/.test(cell)) return undefined;
  const found = DateTime.fromMillis(Number(cell) * millis, { zone: 'utc' });
  return found.isValid ? found : undefined;
}

function dayText(year: number, month: number, day: number): string | undefined {
  if (year < 1 || year > 9999 || !DateTime.utc(year, month, day).isValid) return undefined;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function dayOf(text: string): string {
  return parseIsoDay(text.replace(timeOfDay, '')) ?? text;
}

/** Returns true if a format has year, month and day; luxon would take a missing part from today's date. */
function namesADay(format: string): boolean {
  if (epochs.has(format)) return true;
  // YYYY and DD have another meaning in luxon than in other tools.
  if (/[YD]/.test(format.replace(/'[^']*'/g, ''))) return false;
  const first = DateTime.utc(1999, 1, 31);
  const second = DateTime.utc(2001, 2, 3);
  return [first, second].every((day) => {
    const written = day.toFormat(format, { locale });
    const read = DateTime.fromFormat(written, format, { locale, zone: 'utc', setZone: true });
    return read.isValid && read.toISODate() === day.toISODate();
  });
}

function notADayFormat(issue: { readonly input?: unknown }): string {
  return `the format ${quoteCell(String(issue.input))} does not read a whole day: it needs a year (yyyy), a month (MM, M or MMM) and a day (dd or d); yyyy and dd in lower case, MM in upper case (mm are minutes)`;
}

/** Returns the pattern that a cell must match before it is parsed with a format; a time may follow the date. */
function shaped(day: string): RegExp {
  return new RegExp(`^${day}(?:[T ,].*)?$`);
}

/** The date formats that a draft recognizes, the most common first. */
const knownFormats: readonly { readonly format: string; readonly shape: RegExp }[] = [
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
  { format: 'epoch', shape: /^\d{9,10}$/ },
  { format: 'epochMillis', shape: /^\d{12,13}$/ },
];

interface KnownFormat {
  readonly format: string;
  readonly shape: RegExp;
  readonly reader: CellReader;
}

let knownReaders: readonly KnownFormat[] | undefined;

/** Returns the readers of the known formats; creates them on first use, because that is slow. */
function readers(): readonly KnownFormat[] {
  knownReaders ??= knownFormats.map((each) => ({
    ...each,
    reader: dateDataType.reader({ formats: [each.format] }, {}),
  }));
  return knownReaders;
}

/** Words that, in the name of a column, suggest that its numbers are epoch timestamps. */
const instantWords = new Set('at date time timestamp on since created updated modified seen'.split(' '));

/**
 * Returns the known formats that parse a cell; epoch formats only if a word of the column's name (`column`) suggests
 * them.
 */
function formatsOf(written: string, column: readonly string[]): readonly string[] {
  if (written.length > 60) return [];
  const cell = toPlainDigits(written);
  if (!/\d/.test(cell)) return [];
  const isInstant = column.some((word) => instantWords.has(word));
  return readers().flatMap(({ format, shape, reader }) =>
    shape.test(cell) && (isInstant || !epochs.has(format)) && reader.read(cell).ok ? [format] : [],
  );
}

const mostFormats = 5;
/**
 * The tolerated share of invalid dates, such as 32/12/1989. A single invalid cell is always tolerated if at least
 * `fewestDays` cells are valid.
 */
const toleratedErrors = 0.1;
const fewestDays = 4;

/** The share of a column's dates that a format must exceed; cells of a rarer format are taken for typing errors. */
const rareFormat = 0.02;

/** The guessed formats of a column's dates. */
interface GuessedDateFormats {
  /** The most frequent first. */
  readonly formats: readonly string[];
  /** A month-first and a day-first format that both fit; undefined if no format is ambiguous. */
  readonly doubtful: readonly [month: string, day: string] | undefined;
  /** The share of cells that are not dates. */
  readonly others: number;
}

/** Guesses the formats of a column; undefined if too few of its cells are dates. */
export function guessDateFormats(
  column: ColumnSample,
  seen: readonly ParsedCellCount[],
): GuessedDateFormats | undefined {
  const epoch = [...epochs.keys()].find(
    (format) => calculateUnreadableShare(column, countCellsParsedAs(format, seen)) <= maxUnreadableShare,
  );
  if (epoch !== undefined) {
    const others = calculateUnreadableShare(column, countCellsParsedAs(epoch, seen));
    return { formats: [epoch], doubtful: undefined, others };
  }
  const days = seen.filter(({ ways }) => !ways.some((way) => epochs.has(way)));
  const all = countOf(days);
  const formats: string[] = [];
  let open = days;
  while (open.length > 0 && formats.length < mostFormats) {
    const left = open;
    const rated = knownFormats.map(({ format }) => ({ format, reads: countCellsParsedAs(format, left) }));
    const best = rated.reduce((first, each) => (each.reads > first.reads ? each : first));
    if (best.reads <= all * rareFormat) break;
    formats.push(best.format);
    open = open.filter(({ ways }) => !ways.includes(best.format));
  }
  const read = all - countOf(open);
  const others = calculateUnreadableShare(column, read);
  const isOneSlip = read >= fewestDays && column.looked - read === 1;
  if (formats.length === 0 || (others > toleratedErrors && !isOneSlip)) return undefined;
  return { formats, doubtful: ambiguousFormats(formats, days), others };
}

/** Returns the rule of a column of dates; it has a question where month and day could be swapped. */
function guessedRule(column: ColumnSample, seen: readonly ParsedCellCount[]): GuessedRule | undefined {
  const found = guessDateFormats(column, seen);
  if (found === undefined) return undefined;
  const { formats, doubtful, others } = found;
  if (doubtful !== undefined) {
    const [month, day] = doubtful;
    const beside = formats.filter((format) => !doubtful.includes(format));
    const question = formatDayOrderQuestion([month, ...beside], [day, ...beside]);
    return { options: { formats: question }, words: 'dates', others };
  }
  const isUsual = formats.length === 1 && formats[0] === 'yyyy-MM-dd';
  return { options: isUsual ? {} : { formats }, words: `dates (${formats.join(', ')})`, others };
}

/** Returns the question whether the month or the day comes first; the arguments are the formats of each answer. */
export function formatDayOrderQuestion(monthFirst: readonly string[], dayFirst: readonly string[]): string {
  const answer = (formats: readonly string[]) =>
    `[${formats.map((format) => (/[,']/.test(format) ? JSON.stringify(format) : format)).join(', ')}]`;
  return formatTodoPlaceholder(
    `03/04 could be a day in March or in April; write ${answer(monthFirst)} if the month comes first, ${answer(dayFirst)} if the day does`,
  );
}

function countOf(seen: readonly ParsedCellCount[]): number {
  return seen.reduce((sum, { count }) => sum + count, 0);
}

/** Returns a month-first and a day-first format that both fit, in this order; undefined if no format is ambiguous. */
function ambiguousFormats(
  formats: readonly string[],
  seen: readonly ParsedCellCount[],
): readonly [month: string, day: string] | undefined {
  for (const format of formats) {
    const swapped = format.replace(/[Md]/g, (letter) => (letter === 'M' ? 'd' : 'M'));
    if (swapped === format || !knownFormats.some((each) => each.format === swapped)) continue;
    if (formats.includes(swapped) || countCellsParsedAs(swapped, seen) === countCellsParsedAs(format, seen))
      return format.indexOf('M') < format.indexOf('d') ? [format, swapped] : [swapped, format];
  }
  return undefined;
}

/**
 * Parses a timestamp and returns `yyyy-MM-dd HH:mm`, or the date alone if the format or an ISO text has no time;
 * undefined for any other text.
 */
type TimestampReader = (text: string) => string | undefined;

/**
 * Creates the reader of `iso`, `epoch` (seconds since 1970), `epochMillis` or a format of date tokens (`MM/dd/yyyy
 * HH:mm`). Converts timestamps with a zone to UTC.
 */
export function createTimestampReader(format: string): TimestampReader {
  const read = timestampReaderOf(format);
  return (text) => read(toPlainDigits(text));
}

function timestampReaderOf(format: string): TimestampReader {
  if (format === 'epoch') return epochTimestampReader(1000);
  if (format === 'epochMillis') return epochTimestampReader(1);
  const hasTime = format === 'iso' || /[Hhtf]/.test(format.replace(/'[^']*'/g, ''));
  const options = { locale, zone: 'utc' };
  return (text) => {
    const found =
      format === 'iso'
        ? DateTime.fromISO(text.replace(' ', 'T').replace(/ (?=[+-]\d)/, ''), options)
        : DateTime.fromFormat(text, format, options);
    if (!found.isValid) return undefined;
    return found.toFormat(hasTime && !/^\d{4}-\d\d-\d\d$/.test(text) ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-dd');
  };
}

/**
 * Returns true if a format is fit for `createTimestampReader`: `iso`, `epoch`, `epochMillis`, or tokens that name a
 * whole day.
 */
export function isTimestampFormat(format: string): boolean {
  return format === 'iso' || namesADay(format);
}

function epochTimestampReader(millis: number): TimestampReader {
  return (text) => instantOf(text, millis)?.toFormat('yyyy-MM-dd HH:mm');
}
