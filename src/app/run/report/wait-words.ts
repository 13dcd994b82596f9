import { formatDuration } from '../../../report/figures.ts';
import type { RunEvent } from '../events.ts';

/** An event about waiting for the workspace. */
export type WaitEvent = Extract<RunEvent, { kind: 'waiting' | 'paused' | 'resumed' }>;

/**
 * Returns an event as a sentence: a note's text, a wait with its reason and latest end, or the end of a wait;
 * `now` in ms.
 */
export function formatEventSentence(
  event: Extract<RunEvent, { kind: 'note' }> | WaitEvent,
  now: number,
): string {
  switch (event.kind) {
    case 'note':
      return event.text;
    case 'waiting':
      return `Waiting until ${formatClockTime(event.until, now)}: ${event.reason}`;
    case 'paused':
      return `Paused, retrying until ${formatClockTime(event.until, now)}: ${event.reason}`;
    case 'resumed':
      return `Continuing after ${formatDuration(event.afterSeconds)}.`;
  }
}

const dayMs = 24 * 60 * 60_000;

/**
 * Returns a point in time (ms since 1970) as the local time of day, with the date if it is a day or more
 * after `now`.
 */
export function formatClockTime(at: number, now: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  if (at - now < dayMs) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/**
 * Tracks, from the events of a run, whether the run waits or is paused; the progress display shows this in place of the
 * rate and the time left.
 */
export class StandstillTracker {
  #word = '';
  #until = Number.NEGATIVE_INFINITY;

  take({ kind, until }: { readonly kind: string; readonly until?: number }): void {
    if (until !== undefined) {
      this.#word = kind;
      this.#until = until;
    } else if (kind === 'resumed') this.end();
    // A row that finishes late does not end a pause; only `resumed` does.
    else if (kind === 'row' && this.#word === 'waiting') this.end();
  }

  end(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Returns `paused, retrying until 14:20:00`; undefined while the run proceeds. */
  text(now: number): string | undefined {
    if (this.#until <= now) return undefined;
    const what = this.#word === 'paused' ? 'paused, retrying' : 'waiting';
    return `${what} until ${formatClockTime(this.#until, now)}`;
  }
}
