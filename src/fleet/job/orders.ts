import type { Pool } from 'pg';
import type { Invocation } from '../../app/run/command-line.ts';
import { FatalError, SliceOver } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import {
  type LeaseEnd,
  leaseLostError,
  machineClock,
  msUntilLeaseEnd,
  ProcessLease,
} from '../lease/lease-end.ts';
import type { JournalShipping } from '../ship/ship.ts';
import type { JobMessage, JobOrder, WorkerMessage } from './messages.ts';

/** The signals and lease by which a worker controls a job process, updated by its messages. */
export class WorkerOrders {
  /** Aborts when the run has to stop; it continues later. */
  readonly stop = new AbortController();
  readonly lease: ProcessLease;
  readonly #lost = new AbortController();
  readonly #clock: Clock;
  #end: LeaseEnd;

  constructor(end: LeaseEnd, clock: Clock) {
    this.#end = end;
    this.#clock = clock;
    this.lease = new ProcessLease(end);
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
      // The same error as for SIGTERM.
      const givenBack = () =>
        new FatalError('interrupted', 'the worker gave the job back.', { signal: 'SIGTERM' });
      this.stop.abort(message.why === 'the slice is over' ? new SliceOver() : givenBack());
    }
  }

  async #watch(): Promise<void> {
    for (;;) {
      const left = msUntilLeaseEnd(this.#end, machineClock);
      if (left <= 0) break;
      await this.#clock.sleep(left, undefined, 'upkeep');
    }
    this.#lost.abort(leaseLostError());
    if (!this.stop.signal.aborted) this.stop.abort(leaseLostError());
  }
}

/** The parameters and ports of a running job. */
export interface JobContext {
  readonly order: JobOrder;
  readonly invocation: Invocation;
  readonly orders: WorkerOrders;
  readonly pool: Pool;
  readonly shipping: JournalShipping;
  readonly send: (message: JobMessage) => void;
}
