import { DateTime } from 'luxon';
import * as z from 'zod';
import { defineDataType, invalid, longestShort, type Parsed, quoted } from './data-type.ts';
import { remembered } from './remembered.ts';

const locale = 'en-US';
const mostRemembered = 5_000;

const options = z.object({
  formats: z
    .array(z.string().min(1).refine(namesADay, { error: notADayFormat }))
    .min(1)
    .optional()
    .describe(
      'How dates are written, tried in order: MM/dd/yyyy, d.M.yyyy, d MMM yyyy …, epoch (seconds since 1970, the day in UTC), epochMillis; by default yyyy-MM-dd.',
    ),
});

/** A calendar day as `yyyy-mm-dd`: three numbers, never an instant, so that no time zone can shift it. */
export const date = defineDataType({
  name: 'date',
  options,
  reader({ formats }) {
    const parse = formats ? byFormats(formats) : parseIsoDay;
    const expected = (formats ?? ['yyyy-MM-dd']).join(' or ');
    return {
      readsEmpty: false,
      // Reading a format is dear, and a column of dates holds few different ones.
      read: remembered(mostRemembered, (cell): Parsed<string> => {
        const short = cell.length <= longestShort;
        const day = short ? (parse(cell) ?? parse(cell.replace(timeOfDay, ''))) : undefined;
        if (day !== undefined) return { ok: true, value: day };
        return invalid(`${quoted(cell)} is not a date; expected an existing day, written ${expected}.`);
      }),
    };
  },
  same: (readBack, wanted) => dayOf(readBack) === dayOf(String(wanted)),
});

// A day often comes with a time that nobody asked for: midnight, fractions, a word before or behind it, one zone or (really
// seen) two.
const timeOfDay =
  /(?:T|,?\s+(?:at |um |à )?)\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?|Uhr|h)?\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)*$/;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;

function parseIsoDay(cell: string): string | undefined {
  const found = isoDay.exec(cell);
  return found ? dayText(Number(found[1]), Number(found[2]), Number(found[3])) : undefined;
}

type DayReader = (cell: string) => string | undefined;

function byFormats(formats: readonly string[]): DayReader {
  const readers = formats.map((format) => epochs.get(format) ?? byFormat(format));
  return (cell) => {
    for (const read of readers) {
      const day = read(cell);
      if (day !== undefined) return day;
    }
    return undefined;
  };
}

function byFormat(format: string): DayReader {
  const parser = DateTime.buildFormatParser(format, { locale });
  return (cell) => {
    // setZone keeps the day as it is written when the format itself reads a zone.
    const found = DateTime.fromFormatParser(cell, parser, { locale, zone: 'utc', setZone: true });
    return found.isValid ? dayText(found.year, found.month, found.day) : undefined;
  };
}

/** Moments counted from 1970: the only dates that are instants, so their day is the one in UTC. */
const epochs: ReadonlyMap<string, DayReader> = new Map([
  ['epoch', byEpoch(1000)],
  ['epochMillis', byEpoch(1)],
]);

function byEpoch(millis: number): DayReader {
  return (cell) => {
    if (!/^-?\d{1,15}(?:\.\d+)?$/.test(cell)) return undefined;
    const found = DateTime.fromMillis(Number(cell) * millis, { zone: 'utc' });
    return found.isValid ? dayText(found.year, found.month, found.day) : undefined;
  };
}

function dayText(year: number, month: number, day: number): string | undefined {
  if (year < 1 || year > 9999 || !DateTime.utc(year, month, day).isValid) return undefined;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function dayOf(text: string): string {
  return parseIsoDay(text.replace(timeOfDay, '')) ?? text;
}

/** A format without year, month or day would be filled up from today's date: it must not pass. */
export function namesADay(format: string): boolean {
  if (epochs.has(format)) return true;
  // YYYY and DD are other tools' spelling; here they would be literal text and a localised date.
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
  return `the format ${quoted(String(issue.input))} does not read a whole day: it needs a year (yyyy), a month (MM, M or MMM) and a day (dd or d); yyyy and dd in lower case, MM in upper case (mm are minutes)`;
}
