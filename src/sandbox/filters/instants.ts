import { DateTime, IANAZone } from 'luxon';
import { invalid } from '../refusal.ts';

/** Unix seconds, from the first to the last second that a filter value names. */
export interface Instants {
  readonly low: number;
  readonly high: number;
}

export function checkZone(value: unknown): string {
  if (value === undefined) return 'UTC';
  if (typeof value !== 'string' || !IANAZone.isValidZone(value)) {
    throw invalid('timezone must be an IANA zone name');
  }
  return value;
}

/** Reads Unix seconds, `yyyy-mm-dd` (the whole day in the zone) or `yyyy-mm-ddTHH:MM[:SS][Z or ±hh:mm]`. */
export function instantsOf(text: string, zone: string): Instants {
  if (/^\d{1,12}$/.test(text)) return { low: Number(text), high: Number(text) };
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const time = DateTime.fromISO(text.replace(' ', 'T'), { zone });
  if (!(isDay || isTime) || !time.isValid) {
    throw invalid(`"${text}" is no timestamp: Unix seconds, yyyy-mm-dd or yyyy-mm-ddTHH:MM:SS`);
  }
  const low = Math.floor(time.toSeconds());
  return isDay ? { low, high: Math.floor(time.endOf('day').toSeconds()) } : { low, high: low };
}
