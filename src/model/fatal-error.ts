import type { Hint } from './command.ts';

/** The reason why a run stops; the command line maps each to an exit code. */
export type FatalReason =
  | 'usage'
  | 'input'
  | 'budget'
  | 'guard'
  | 'timeout'
  | 'unauthorized'
  | 'locked'
  | 'unreachable'
  | 'interrupted'
  | 'unexpected';

/**
 * The signals that ask a process to finish its requests in flight and to end. SIGHUP (the terminal was closed) counts
 * as SIGTERM.
 */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface ErrorPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly key?: string;
}

interface FatalDetails {
  readonly place?: ErrorPlace | undefined;
  readonly next?: Hint | undefined;
  readonly cause?: unknown;
  readonly signal?: StopSignal | undefined;
}

/** The error that stops a run or a command; it says what happened, where, and what to type next. */
export class FatalError extends Error {
  readonly reason: FatalReason;
  readonly place: ErrorPlace | undefined;
  readonly next: Hint | undefined;
  /** The signal that interrupted the run. */
  readonly signal: StopSignal | undefined;

  constructor(reason: FatalReason, message: string, more: FatalDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'FatalError';
    this.reason = reason;
    this.place = more.place;
    this.next = more.next;
    this.signal = more.signal;
  }

  /** Returns a FatalError of the same reason and message with another place, hint, signal or cause. */
  with(other: FatalDetails): FatalError {
    const { reason, message, place, next, signal, cause } = this;
    return new FatalError(reason, message, { place, next, signal, cause: cause ?? this, ...other });
  }
}

/** The error of a run whose time slice has ended; a later job continues the run. */
export class TimeSliceEndedError extends FatalError {
  constructor() {
    super('interrupted', 'the slice of the job is over.', { signal: 'SIGTERM' });
  }
}

/**
 * The error of a 403 for a kind of request that the workspace has not accepted in this session so far. Nothing was
 * changed, so the row stays open and can be retried.
 */
export class AccessDeniedError extends FatalError {
  /** True where enough requests of this kind were tried to conclude that all are denied. */
  readonly final: boolean;

  constructor(message: string, more: { final: boolean; next: Hint }) {
    super('unauthorized', message, { next: more.next });
    this.final = more.final;
  }
}
