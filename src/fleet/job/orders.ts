import type { Pool } from 'pg';
import type { Invocation } from '../../app/run/command-line.ts';
import { FatalError, TimeSliceEndedError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import {
  computeRemainingLeaseMs,
  createLeaseLostError,
  JobProcessLease,
  type LeaseEnd,
  machineClock,
} from '../lease/lease-end.ts';
import type { JournalShipping } from '../ship/ship.ts';
import type { JobMessage, JobParameters, WorkerMessage } from './messages.ts';

/** The signals and lease by which a worker controls a job process, updated by the worker's messages. */
export class JobControl {
  /** Aborts when the run has to stop; it continues later. */
  readonly stop = new AbortController();
  readonly lease: JobProcessLease;
  readonly #lost = new AbortController();
  readonly #clock: Clock;
  #end: LeaseEnd;

  constructor(end: LeaseEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
    this.lease = new JobProcessLease(end);
    void this.#watch();
  }

  /** Aborts when the lease is over. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  take(message: Exclude<WorkerMessage, { kind: 'job' }>): void {
    if (message.kind === 'lease') {
      this.#end = message.end;
      this.lease.extend(message.end);
    } else if (!this.stop.signal.aborted) {
      // The same error as for SIGTERM: with its exit code 143 the job continues later.
      const givenBack = () =>
        new FatalError('interrupted', 'the worker gave the job back.', { signal: 'SIGTERM' });
      this.stop.abort(message.why === 'the slice is over' ? new TimeSliceEndedError() : givenBack());
    }
  }

  async #watch(): Promise<void> {
    for (;;) {
      const left = computeRemainingLeaseMs(this.#end, machineClock);
      if (left <= 0) break;
      await this.#clock.sleep(left, undefined, 'upkeep');
    }
    this.#lost.abort(createLeaseLostError());
    if (!this.stop.signal.aborted) this.stop.abort(createLeaseLostError());
  }
}

/** The parameters and ports of a running job. */
export interface JobContext {
  readonly order: JobParameters;
  readonly invocation: Invocation;
  readonly orders: JobControl;
  readonly pool: Pool;
  readonly shipping: JournalShipping;
  readonly send: (message: JobMessage) => void;
  /** The errors that were reported by an alert already. */
  readonly reportedErrors: Set<unknown>;
}
