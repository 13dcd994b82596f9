const dayMillis = 86_400_000;
const lastDay = 2_958_465;

/** How a number format shows a moment. */
export interface MomentFormat {
  readonly date: boolean;
  readonly time: boolean;
  /** Hours go on beyond 24: a duration. */
  readonly elapsed: boolean;
}

/**
 * A serial number as `yyyy-mm-dd`, with a time `yyyy-mm-dd HH:MM:SS`, or as `HH:MM:SS` alone; null where it is no moment.
 * It is counted in whole days and seconds, so that no time zone can shift it.
 */
export function momentText(serial: number, format: MomentFormat, from1904: boolean): string | null {
  if (!(serial >= 0)) return null;
  const seconds = Math.round(serial * 86_400);
  if (format.elapsed) return clock(seconds);
  const day = Math.floor(seconds / 86_400);
  const ofDay = seconds - day * 86_400;
  // The system of 1900 has no day 0: what is stored there is a time of day.
  const noDay = day === 0 && (!format.date || !from1904);
  if (noDay) return format.time || ofDay > 0 ? clock(ofDay) : null;
  const text = dayText(day, from1904);
  if (text === null) return null;
  return format.time || ofDay > 0 ? `${text} ${clock(ofDay)}` : text;
}

/** A moment that is stored as text, `2024-01-31T09:30:00.000Z`, in the same form; anything else is left as it is. */
export function isoMoment(stored: string): string {
  const found = /^(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/.exec(stored.trim());
  if (found === null) return stored;
  const [, date, minutes, seconds = ':00'] = found;
  return [date, minutes === undefined ? undefined : minutes + seconds].filter(Boolean).join(' ');
}

function dayText(day: number, from1904: boolean): string | null {
  const counted = from1904 ? day + 1462 : day;
  if (counted > lastDay) return null;
  // The system of 1900 has a 29 February of that year, which was none; before it, its days are one short.
  if (counted === 60) return '1900-02-29';
  const since = Date.UTC(1899, 11, counted < 60 ? 31 : 30);
  return new Date(since + counted * dayMillis).toISOString().slice(0, 10);
}

function clock(seconds: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
