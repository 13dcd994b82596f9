import { createHash } from 'node:crypto';
import cronParser from 'cron-parser';
import * as z from 'zod';

/** A cron expression of five fields, and its time zone. */
export interface CronSchedule {
  readonly cron: string;
  readonly timezone: string;
}

/** The schema of a schedule as its database row stores it; the spread is in ms. */
export const scheduleRowSchema = z.object({ cron: z.string(), timezone: z.string(), spread: z.number() });

const fields = 5;

/** Returns what is wrong with a cron expression, as a clause of a message; undefined if it is valid. */
export function findCronMistake(text: string): string | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields) {
    return `a cron expression has ${fields} fields (minute, hour, day of the month, month, day of the week), for example 30 2 * * *`;
  }
  try {
    nextOf(text, 'UTC', 0);
    return undefined;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return `this is not a cron expression, such as 30 2 * * * for every day at 02:30 (${detail})`;
  }
}

/** Returns the first time of a schedule after `after`, both in ms since 1970; `offset` delays each time (ms). */
export function computeNextTime({ cron, timezone }: CronSchedule, offset: number, after: number): number {
  return nextOf(cron, timezone, after - offset) + offset;
}

/**
 * Creates a cached `computeNextTime`, for many assignments with few schedules: all times between two cron times share
 * one calculation.
 */
export function createCachedNextTimeCalculator(): typeof computeNextTime {
  const known = new Map<string, { readonly from: number; readonly next: number }>();
  return ({ cron, timezone }, offset, after) => {
    const key = JSON.stringify([cron, timezone]);
    const from = after - offset;
    const found = known.get(key);
    if (found !== undefined && found.from <= from && from < found.next) return found.next + offset;
    const next = nextOf(cron, timezone, from);
    known.set(key, { from, next });
    return next + offset;
  };
}

function nextOf(cron: string, tz: string, after: number): number {
  return cronParser
    .parseExpression(cron, { tz, currentDate: new Date(after) })
    .next()
    .getTime();
}

const bits = 48;

/** Returns the constant delay (ms) of an assignment after its scheduled times: at least 0 and less than `spread`. */
export function computeSpreadOffset(workspace: string, pipeline: string, spread: number): number {
  const hash = createHash('sha256').update(`${workspace}\n${pipeline}`).digest();
  return Math.floor((hash.readUIntBE(0, bits / 8) / 2 ** bits) * spread);
}
