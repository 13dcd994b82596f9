import type { Clock, Randomness } from '../model/ports.ts';

const baseMs = 500;
const capMs = 30_000;

/** Returns a random wait (ms) after that many failures in a row: below a bound that doubles from 0.5 s to 30 s. */
export function computeBackoffMs(failures: number, randomness: Randomness): number {
  return randomness.next() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}

/**
 * The pauses (ms) between attempts, and the total time (ms) for attempts. Once the list is used up, its last pause is
 * repeated.
 */
export interface BackoffSchedule {
  readonly pauses: readonly number[];
  readonly total: number;
}

/** The backoff of a request that the workspace has queued (449), which takes minutes. */
export const backoffForQueuedRequest: BackoffSchedule = {
  pauses: [2_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000],
  total: 15 * 60_000,
};

/** Returns the backoff for a new contact, which cannot be read or changed for up to `settleMs`. */
export function createBackoffForNewContact(settleMs: number): BackoffSchedule {
  return { pauses: [250, 500, 1_000, 2_000, 4_000, 5_000], total: settleMs };
}

/** Returns the next pause (ms) after `count` pauses. */
export function getNextPauseMs(count: number, { pauses }: Pick<BackoffSchedule, 'pauses'>): number {
  return pauses[Math.min(count, pauses.length - 1)] ?? 0;
}

/** A clock to sleep by, and the signal that ends a sleep. */
interface Sleeper {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A wait that an answer asks for: its pauses, and the time (ms) until which the request is repeated. */
export interface PollSchedule extends Pick<BackoffSchedule, 'pauses'> {
  readonly until: number;
}

/**
 * Repeats `ask` as long as `waitAfter` returns a wait for its answer; returns the last answer. A call that begins
 * after the wait's `until` is the last one, so a "not found" counts only if it was asked for after `until`.
 * `withoutSlot` surrounds each wait.
 */
export async function pollUntil<T>(
  { clock, signal }: Sleeper,
  ask: () => Promise<T>,
  waitAfter: (answer: T) => PollSchedule | undefined,
  withoutSlot: (wait: () => Promise<void>, answer: T) => Promise<void> = (wait) => wait(),
): Promise<T> {
  for (let count = 0; ; count += 1) {
    const askedAt = clock.now();
    const answer = await ask();
    const wait = waitAfter(answer);
    if (wait === undefined || askedAt >= wait.until) return answer;
    await withoutSlot(() => sleepForNextPause({ clock, signal }, wait, count), answer);
  }
}

/** Sleeps for the next pause after `count` others, but not beyond the end of the wait. */
export async function sleepForNextPause(
  { clock, signal }: Sleeper,
  wait: PollSchedule,
  count: number,
): Promise<void> {
  const ms = Math.min(getNextPauseMs(count, wait), wait.until - clock.now());
  await clock.sleep(Math.max(0, ms), signal);
}

/** Returns a duration (ms) for a message: `45 s`, or `3 minutes` from 90 seconds on. */
export function formatWaitLength(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(ms / 60_000)} minutes`;
}
