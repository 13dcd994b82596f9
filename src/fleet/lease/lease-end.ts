import { FatalError } from '../../model/fatal-error.ts';
import type { SendPermit } from '../../model/ports.ts';

/** The times of this machine that a lease is measured with. */
export interface MachineClock {
  /** Milliseconds that only grow, the same in every process of the machine; they stand still while it sleeps. */
  monotonic(): number;
  /** Milliseconds since 1970. */
  wall(): number;
}

/** The machine's own times. */
export const machineClock: MachineClock = {
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  wall: () => Date.now(),
};

/** When a lease ends on this machine: by whichever of its times comes first, because a machine may sleep, and a clock be set. */
export interface LeaseEnd {
  readonly monotonic: number;
  readonly wall: number;
}

/** Returns the end of a lease that begins now. */
export function endAfter(ms: number, time: MachineClock): LeaseEnd {
  return { monotonic: time.monotonic() + ms, wall: time.wall() + ms };
}

/** Returns the milliseconds until a lease ends; 0 or less where it is over. */
export function msUntil(end: LeaseEnd, time: MachineClock): number {
  return Math.min(end.monotonic - time.monotonic(), end.wall - time.wall());
}

/** The lease that a process works under; its holder renews it. */
export class KnownLease implements SendPermit {
  readonly #time: MachineClock;
  #end: LeaseEnd;

  constructor(end: LeaseEnd, time: MachineClock = machineClock) {
    this.#end = end;
    this.#time = time;
  }

  /** Extends a lease that was renewed. */
  extend(end: LeaseEnd): void {
    this.#end = end;
  }

  assertHeld(): void {
    if (msUntil(this.#end, this.#time) <= 0) throw leaseLost();
  }
}

/** Returns the error that stops a run whose workspace another machine may hold. */
export function leaseLost(): FatalError {
  return new FatalError(
    'locked',
    'this machine has lost its lease on the workspace, so nothing more was sent; another machine continues.',
    { next: 'longshore fleet status' },
  );
}
