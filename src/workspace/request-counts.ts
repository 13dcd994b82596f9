import { createEmptyTiming, type OperationTiming } from '../model/timing.ts';
import { type Operation, OperationMap } from './by-operation.ts';

/**
 * The numbers of requests of one endpoint by result: `sent` counts every attempt, `ok` those with a usable 2xx answer.
 */
export interface RequestCounts {
  sent: number;
  ok: number;
  retried: number;
  limited: number;
  queued: number;
  timing: OperationTiming;
}

/** Counts requests per `<METHOD> <path template>`. */
export class RequestCounter {
  readonly #counts = new OperationMap(none);

  of(endpoint: Operation): RequestCounts {
    return this.#counts.of(endpoint);
  }

  /** The number of attempts with a usable 2xx answer, at all endpoints together. */
  get ok(): number {
    let sum = 0;
    for (const [, { ok }] of this.#counts.entries()) sum += ok;
    return sum;
  }

  /** Returns a copy of the counts of the endpoints that were used. */
  snapshot(): Readonly<Record<string, Readonly<RequestCounts>>> {
    const used = [...this.#counts.entries()].filter(([, counts]) => counts.sent > 0);
    return Object.fromEntries(used.map(([key, counts]) => [key, copyOf(counts)]));
  }
}

function none(): RequestCounts {
  return { sent: 0, ok: 0, retried: 0, limited: 0, queued: 0, timing: createEmptyTiming() };
}

function copyOf({ timing, ...counts }: RequestCounts): RequestCounts {
  return { ...counts, timing: { ...timing, spread: [...timing.spread] } };
}
