import type { RunListener } from '../run/events.ts';
import type { RowWait } from '../run/step.ts';

/** The reason why rows wait while no row is active, and the end of the wait (ms). */
export interface StandstillWait {
  readonly kind: 'waiting';
  readonly reason: string;
  readonly until: number;
}

const words: Readonly<Record<RowWait['for'], readonly [one: string, many: string]>> = {
  sentCreate: [
    'the contact of one row may have been created without an answer, and is created again only if it does not show by then',
    'the contacts of COUNT rows may have been created without an answer, and are created again only if they do not show by then',
  ],
  newContact: [
    'the contact of one row was created lately and cannot be read yet',
    'the contacts of COUNT rows were created lately and cannot be read yet',
  ],
  sentChange: [
    'a change of the contact of one row was sent before, has no answer, and may still arrive',
    'changes of the contacts of COUNT rows were sent before, have no answer, and may still arrive',
  ],
};

/** Returns the longest of some waits, with its reason in words; undefined where there is none. */
export function findLongestWait(waits: Iterable<RowWait>): StandstillWait | undefined {
  const all = [...waits];
  const [longest] = all.sort((one, other) => other.until - one.until);
  if (longest === undefined) return undefined;
  const count = all.filter((each) => each.for === longest.for).length;
  const [one, many] = words[longest.for];
  const text = count === 1 ? one : many.replace('COUNT', count.toLocaleString('en-US'));
  return { kind: 'waiting', reason: `${text} (limits.settle)`, until: longest.until };
}

/** The length in ms above which a wait is reported. */
const worthSayingMs = 10_000;
const muchLaterMs = 60_000;

/**
 * Reports the reason of a wait once no row has been active at two checks in a row, and again if it lasts much longer.
 */
export class StandstillReporter {
  readonly #listen: RunListener;
  #stoodStill = false;
  #saidUntil = Number.NEGATIVE_INFINITY;

  constructor(listen: RunListener) {
    this.#listen = listen;
  }

  /**
   * Reports the wait if a report is due at `now` (ms). Returns `wait` until the end of the wait reported last, else
   * undefined.
   */
  look(wait: StandstillWait | undefined, now: number): StandstillWait | undefined {
    const lasts = this.#stoodStill;
    this.#stoodStill = wait !== undefined;
    if (wait === undefined || !lasts || wait.until <= now) return undefined;
    const isSaid = now < this.#saidUntil && wait.until <= this.#saidUntil + muchLaterMs;
    if (!isSaid && wait.until - now > worthSayingMs) {
      this.#saidUntil = wait.until;
      this.#listen(wait);
    }
    return now < this.#saidUntil ? wait : undefined;
  }
}
