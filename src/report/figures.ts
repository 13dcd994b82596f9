import { DateTime } from 'luxon';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Returns a number with thousands separators: `1,234,567`. */
export function formatCount(n: number): string {
  return whole.format(n);
}

/** Returns a number with its noun: `1 row`, `2 rows`. */
export function formatQuantity(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** Returns a rate per second: whole from ten on, with two significant digits below. */
export function formatRate(perSecond: number): string {
  return perSecond >= 10 ? whole.format(perSecond) : fine.format(perSecond);
}

/** Returns a part of a whole in percent; a part above 0 never rounds to 0%, and one below the whole never to 100%. */
export function formatPercent(part: number, of: number): string {
  if (of === 0) return '0%';
  const exact = (100 * part) / of;
  if (part > 0 && exact < 0.1) return '<0.1%';
  if (part < of && exact > 99.9) return '>99.9%';
  return part === 0 || part === of ? `${exact}%` : `${exact.toFixed(1)}%`;
}

/** Returns a number of seconds as text: `0.4 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${trimmed(seconds, 1)} s`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return two(Math.floor(s / 60), 'min', s % 60, 's');
  const minutes = Math.round(s / 60);
  if (minutes < 1440) return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(s / 3600);
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** Returns a timestamp (ISO 8601, or ms since 1970) in the local time zone: `2026-03-01 11:15 +01:00`. */
export function formatLocalTime(at: string | number): string {
  return local(at).toFormat('yyyy-MM-dd HH:mm ZZ');
}

/**
 * Returns the parts of a timestamp, for a table or a scale that names the zone once: `2026-03-01 11:15`, `11:15:07`,
 * `+01:00`.
 */
export function formatLocalTimeParts(at: string | number): {
  readonly minute: string;
  readonly clock: string;
  readonly zone: string;
} {
  const time = local(at);
  return {
    minute: time.toFormat('yyyy-MM-dd HH:mm'),
    clock: time.toFormat('HH:mm:ss'),
    zone: time.toFormat('ZZ'),
  };
}

function local(at: string | number): DateTime {
  return DateTime.fromMillis(new Date(at).getTime());
}

function two(a: number, unitA: string, b: number, unitB: string): string {
  return b === 0 ? `${a} ${unitA}` : `${a} ${unitA} ${b} ${unitB}`;
}

function trimmed(n: number, digits: number): string {
  return String(Number(n.toFixed(digits)));
}

/** Returns the number of concurrent requests as text: `8 requests at once`. */
export function formatConcurrency(requests: number): string {
  return `${formatQuantity(requests, 'request')} at once`;
}
