import type { RunJournal, WaitName } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';

/** What a row waits for without its place in the pool, and until when (ms) at the latest. */
export interface RowWait {
  readonly for: 'sentCreate' | 'newContact' | 'sentChange';
  readonly until: number;
}

/** Waits without holding up others; for a row that is without its slot in the pool. `why` is shown where all rows wait. */
export type WithoutSlot = <T>(wait: () => Promise<T>, why?: RowWait) => Promise<T>;

/** A wait that asks again and again: from `first` ms, doubling up to `longest`, for `total` ms in all. */
export interface Backoff {
  readonly first: number;
  readonly longest: number;
  readonly total: number;
}

/** Design part 5, Waits: 449 is minutes, not milliseconds. */
export const queuedBackoff: Backoff = { first: 2_000, longest: 60_000, total: 15 * 60_000 };

/** Design part 5, Waits: a new contact needs time before it can be read. */
export function newContactBackoff(settleMs: number): Backoff {
  return { first: 250, longest: 5_000, total: settleMs };
}

/**
 * Asks until `ask` gives something other than undefined or the time, counted from `since`, is over; the last question
 * is asked when the time is over, so that "not there" is only believed then.
 */
export async function askUntil<T>(
  clock: Clock,
  signal: AbortSignal,
  backoff: Backoff,
  since: number,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = since + backoff.total;
  let pause = backoff.first;
  for (;;) {
    const last = clock.now() >= end;
    const answer = await ask();
    if (answer !== undefined || last) return answer;
    await clock.sleep(Math.max(0, Math.min(pause, end - clock.now())), signal);
    pause = Math.min(pause * 2, backoff.longest);
  }
}

/**
 * Asks again, as `queuedBackoff` says, until there is an answer or the time is over; the last answer that came. A wait that
 * an earlier session of the run began does not start over.
 */
export async function untilAnswered<T>(
  {
    clock,
    signal,
    journal,
  }: { readonly clock: Clock; readonly signal: AbortSignal; readonly journal: Pick<RunJournal, 'waits'> },
  wait: WaitName,
  ask: () => Promise<T>,
  isAnswer: (answer: T) => boolean,
  withoutSlot: WithoutSlot = (waiting) => waiting(),
): Promise<T> {
  let last = await ask();
  if (!isAnswer(last)) {
    await withoutSlot(async () => {
      const since = journal.waits.since(wait, clock.now());
      const left = since + queuedBackoff.total - clock.now();
      await clock.sleep(Math.max(0, Math.min(queuedBackoff.first, left)), signal);
      return await askUntil(clock, signal, queuedBackoff, since, async () => {
        last = await ask();
        return isAnswer(last) ? last : undefined;
      });
    });
  }
  journal.waits.over(wait);
  return last;
}
