import { type RowLine, splitRowLine } from '../wire/row-line.ts';
import { locale, t } from './language.ts';

const whole = new Intl.NumberFormat(locale);
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** Formats a number in the reader's locale, as all functions of this file do: `12,345`. */
export function formatCount(n: number): string {
  return whole.format(n);
}

/** Formats the place of a row: `1,234`, or `42, row 3`. */
export function formatRowLine(place: RowLine): string {
  const { line, row } = splitRowLine(place);
  return row === 1
    ? formatCount(line)
    : t('{line}, row {row}', { line: formatCount(line), row: formatCount(row) });
}

/** Formats the place of a row as it can be typed, without separators of thousands. */
export function formatTypedRowLine(place: RowLine): string {
  const { line, row } = splitRowLine(place);
  return row === 1 ? `${line}` : t('{line}, row {row}', { line: `${line}`, row: `${row}` });
}

export function formatRate(perSecond: number): string {
  return oneDigit.format(perSecond);
}

export function formatPercent(part: number, of: number): string {
  return share.format(of === 0 ? 0 : part / of);
}

/** Formats an ISO 8601 time with its date. */
export function formatDateTime(iso: string): string {
  return moment.format(new Date(iso));
}

/** Formats the day of an ISO 8601 time, with the year only if it is not this year: `23 Nov`. */
export function formatDay(iso: string): string {
  const at = new Date(iso);
  return (at.getFullYear() === new Date().getFullYear() ? day : dayAndYear).format(at);
}

/** Formats an ISO 8601 time without its date. */
export function formatTime(iso: string): string {
  return clock.format(new Date(iso));
}

/** Formats seconds: `42 s`, `3 min 10 s`, `2 h 5 min`. */
export function formatDuration(total: number): string {
  const all = Math.round(total);
  const [hours, minutes] = [Math.floor(all / 3_600), Math.floor((all % 3_600) / 60)];
  if (hours > 0) return t('{hours, number} h {minutes} min', { hours, minutes });
  const seconds = all % 60;
  return minutes > 0 ? t('{minutes} min {seconds} s', { minutes, seconds }) : t('{seconds} s', { seconds });
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes: `812 bytes`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = units[power] ?? 'byte';
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const how = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const;
  const format = new Intl.NumberFormat(locale, how);
  return format.format(bytes / 1_000 ** power);
}

const regions = new Intl.DisplayNames(locale, { type: 'region' });

/** Returns the name of a country by its ISO 3166-1 alpha-2 code. */
export function formatCountry(code: string): string {
  return regions.of(code) ?? code;
}
