import { DateTime } from 'luxon';
import * as z from 'zod';
import { createCellError, defineDataType, maxShortCellLength, quoteCell } from './data-type.ts';
import { createColumnGuesser } from './guess.ts';

const locale = 'en-US';
const anyDay = '2000-01-01';

const options = z.object({
  formats: z
    .array(z.string().min(1).refine(namesATime, { error: notATimeFormat }))
    .min(1)
    .optional()
    .describe('How times are written, tried in order: HH:mm, h:mm a, HHmm …; by default HH:mm or HH:mm:ss.'),
});

/** The type time: a time of day as `HH:MM`, 24-hour; without seconds. */
export const timeDataType = defineDataType({
  options,
  reader({ formats }) {
    const parse = formats ? byFormats(formats) : parsePlain;
    const expected = formats ? formats.join(' or ') : 'HH:mm, such as 09:30 or 17:05';
    return {
      readsEmpty: false,
      read(cell) {
        const value = cell.length <= maxShortCellLength ? parse(cell) : undefined;
        if (value !== undefined) return { ok: true, value };
        return createCellError(`${quoteCell(cell)} is not a time of day; expected ${expected}.`);
      },
    };
  },
  same: (readBack, wanted) => (parsePlain(readBack) ?? readBack) === (parsePlain(String(wanted)) ?? wanted),
  filterKind: 'ordered',
  guess: createColumnGuesser((cell) => parsePlain(cell) !== undefined, 'times of day'),
});

const plain = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/;

function parsePlain(cell: string): string | undefined {
  const [whole, hour = '', minute = '', second = '0'] = plain.exec(cell) ?? [];
  if (whole === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  return `${hour.padStart(2, '0')}:${minute}`;
}

function byFormats(formats: readonly string[]): (cell: string) => string | undefined {
  // Each time is parsed with a fixed date before it. Otherwise luxon would use today's date, and 24:00, which it takes
  // for 00:00 of the next day, could not be detected.
  const parsers = formats.map((format) => DateTime.buildFormatParser(`yyyy-MM-dd ${format}`, { locale }));
  return (cell) => {
    for (const parser of parsers) {
      const found = DateTime.fromFormatParser(`${anyDay} ${cell}`, parser, {
        locale,
        zone: 'utc',
        setZone: true,
      });
      if (found.isValid && found.toISODate() === anyDay) return found.toFormat('HH:mm');
    }
    return undefined;
  };
}

function namesATime(format: string): boolean {
  const parse = byFormats([format]);
  return ['09:05', '21:45'].every((wanted) => {
    const [hour = '', minute = ''] = wanted.split(':');
    return (
      parse(DateTime.utc(2000, 1, 1, Number(hour), Number(minute)).toFormat(format, { locale })) === wanted
    );
  });
}

function notATimeFormat(issue: { readonly input?: unknown }): string {
  return `the format ${quoteCell(String(issue.input))} does not read a time of day: it needs hours (HH, or hh with a) and minutes (mm); mm in lower case are minutes, MM is the month`;
}
