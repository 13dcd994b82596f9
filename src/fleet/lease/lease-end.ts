import { toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { SendPermit } from '../../model/ports.ts';

/** The clocks of this machine that measure a lease. */
export interface MachineClock {
  /** Monotonic milliseconds, the same in every process of the machine; they may stop while it sleeps. */
  monotonic(): number;
  /** Milliseconds since 1970. */
  wall(): number;
}

/** The clocks of this process's machine. */
export const machineClock: MachineClock = {
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  wall: () => Date.now(),
};

/**
 * The end of a lease by both clocks of this machine (ms). The lease is over once either clock has passed its
 * end, because a machine may sleep and a clock may be changed.
 */
export interface LeaseEnd {
  readonly monotonic: number;
  readonly wall: number;
}

/** Returns the end of a lease of `ms` milliseconds that begins now. */
export function computeLeaseEnd(ms: number, time: MachineClock): LeaseEnd {
  return { monotonic: time.monotonic() + ms, wall: time.wall() + ms };
}

/** Returns the milliseconds until a lease ends; 0 or less if it is over. */
export function computeRemainingLeaseMs(end: LeaseEnd, time: MachineClock): number {
  return Math.min(end.monotonic - time.monotonic(), end.wall - time.wall());
}

/** A job process's copy of its lease, which the worker renews. */
export class JobProcessLease implements SendPermit {
  readonly #time: MachineClock;
  #end: LeaseEnd;

  constructor(end: LeaseEnd, time: MachineClock = machineClock) {
    this.#end = end;
    this.#time = time;
  }

  /** Sets the end after a renewal. */
  extend(end: LeaseEnd): void {
    this.#end = end;
  }

  assertHeld(): void {
    if (computeRemainingLeaseMs(this.#end, this.#time) <= 0) throw createLeaseLostError();
  }
}

class LeaseLostError extends FatalError {}

/** Returns the error that stops a run whose lease is lost. */
export function createLeaseLostError(): FatalError {
  return new LeaseLostError(
    'locked',
    'this machine has lost its lease on the workspace, so nothing more was sent; another machine continues.',
    { next: toCommand('fleet', 'status') },
  );
}

/** True if an error or one of its causes is that of a lost lease. */
export function isLeaseLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof LeaseLostError) return true;
  return false;
}
