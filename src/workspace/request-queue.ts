import PQueue from 'p-queue';
import { type Clock, type Transport, TransportError, type TransportRequest } from '../model/ports.ts';
import type { Concurrency, Ended } from './concurrency.ts';
import type { Received } from './verdict.ts';

interface RequestQueueOptions {
  readonly transport: Transport;
  /** The bound on requests under way at once. */
  readonly concurrency: Concurrency;
  /** Milliseconds that a whole answer may take, headers and body together. */
  readonly answerMs: number;
  readonly clock: Clock;
  /** Once it is aborted nothing leaves any more. */
  readonly signal: AbortSignal;
}

/** How a request is sent. */
export interface Sending {
  /** Goes before others that wait for a connection. */
  readonly urgent: boolean;
  /** Changes nothing, so that a stop need not wait for its answer. */
  readonly readOnly: boolean;
  /** Asked at the last moment; where it says no, nothing is sent. */
  readonly beforeSend: () => boolean;
}

/** The transport behind the bound on requests under way at once, and on the time of each. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #queue: PQueue;

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency.limit });
  }

  /**
   * Sends one request as soon as a connection is free, urgent ones first; undefined where it did not leave. Rejects with
   * the signal's reason where the stop came first.
   */
  send(request: TransportRequest, sending: Sending): Promise<Received | undefined> {
    return this.#queue.add(() => this.#send(request, sending), sending.urgent ? urgently : normally);
  }

  /** An attempt has come to this: more or fewer may be under way from now on. */
  ended(request: Omit<Ended, 'underWay'>): void {
    const { concurrency } = this.#options;
    // The attempt itself has left the queue by now.
    concurrency.note({ ...request, underWay: this.#queue.pending + 1 });
    if (this.#queue.concurrency !== concurrency.limit) this.#queue.concurrency = concurrency.limit;
  }

  /** Waits at most `graceMs` for what is under way, then drops every connection. */
  async close(graceMs: number): Promise<void> {
    const { clock, transport } = this.#options;
    const enough = new AbortController();
    const patience = clock.sleep(graceMs, enough.signal).catch(() => undefined);
    await Promise.race([this.#queue.onIdle(), patience]);
    enough.abort();
    await transport.close();
  }

  async #send(request: TransportRequest, { readOnly, beforeSend }: Sending): Promise<Received | undefined> {
    const { transport, clock, answerMs, signal } = this.#options;
    signal.throwIfAborted();
    if (!beforeSend()) return undefined;
    const over = new AbortController();
    const stop = () => over.abort(signal.reason);
    if (readOnly) signal.addEventListener('abort', stop, { once: true });
    try {
      const late = clock.sleep(answerMs, over.signal, 'upkeep').then(() => {
        throw new TransportError(`no complete answer within ${answerMs / 1_000} s`, true);
      });
      return await Promise.race([transport.send(request, over.signal), late]);
    } catch (error) {
      // What the transport says of a request that was given up on is no answer of the workspace.
      if (over.signal.aborted) throw over.signal.reason;
      if (error instanceof TransportError) return error;
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort();
    }
  }
}

const urgently = { priority: 1 };
const normally = { priority: 0 };
