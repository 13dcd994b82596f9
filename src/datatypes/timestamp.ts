import { DateTime } from 'luxon';
import { instantOf, namesADay } from './date.ts';

const locale = 'en-US';

/** Reads a timestamp as a legacy system writes it and gives `yyyy-MM-dd HH:mm`, or the day alone where the format has no time; undefined for any other text. */
export type TimestampReader = (text: string) => string | undefined;

/**
 * A reader for `iso`, `epoch` (seconds since 1970), `epochMillis` or a format of date tokens (`MM/dd/yyyy HH:mm`). What says
 * its zone is given in UTC, all else as it is written.
 */
export function timestampReader(format: string): TimestampReader {
  if (format === 'epoch') return byEpoch(1000);
  if (format === 'epochMillis') return byEpoch(1);
  const hasTime = format === 'iso' || /[Hhtf]/.test(format.replace(/'[^']*'/g, ''));
  const options = { locale, zone: 'utc' };
  return (text) => {
    const found =
      format === 'iso'
        ? DateTime.fromISO(text.replace(' ', 'T'), options)
        : DateTime.fromFormat(text, format, options);
    if (!found.isValid) return undefined;
    return found.toFormat(hasTime && !/^\d{4}-\d\d-\d\d$/.test(text) ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-dd');
  };
}

/** Whether a format is one that `timestampReader` reads. */
export function isTimestampFormat(format: string): boolean {
  return format === 'iso' || namesADay(format);
}

function byEpoch(millis: number): TimestampReader {
  return (text) => instantOf(text, millis)?.toFormat('yyyy-MM-dd HH:mm');
}
