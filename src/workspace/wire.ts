import PQueue from 'p-queue';
import { type Clock, type Transport, TransportError, type TransportRequest } from '../model/ports.ts';
import type { Received } from './verdict.ts';

interface WireOptions {
  readonly transport: Transport;
  /** Requests under way at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Once it is aborted nothing leaves any more. */
  readonly signal: AbortSignal;
}

/** The transport behind the bound on requests under way at once. */
export class Wire {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #queue: PQueue;

  constructor({ transport, concurrency, clock, signal }: WireOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#signal = signal;
    this.#queue = new PQueue({ concurrency });
  }

  /**
   * Sends one request as soon as a connection is free, urgent ones first. `leave` is asked at the last moment; where it
   * says no, nothing was sent and the answer is undefined. Rejects with the signal's reason where the stop came first.
   */
  send(request: TransportRequest, urgent: boolean, leave: () => boolean): Promise<Received | undefined> {
    return this.#queue.add(() => this.#send(request, leave), urgent ? urgently : normally);
  }

  /** Waits at most `graceMs` for what is under way, then drops every connection. */
  async close(graceMs: number): Promise<void> {
    const enough = new AbortController();
    const patience = this.#clock.sleep(graceMs, enough.signal).catch(() => undefined);
    await Promise.race([this.#queue.onIdle(), patience]);
    enough.abort();
    await this.#transport.close();
  }

  async #send(request: TransportRequest, leave: () => boolean): Promise<Received | undefined> {
    this.#signal.throwIfAborted();
    if (!leave()) return undefined;
    try {
      return await this.#transport.send(request);
    } catch (error) {
      if (error instanceof TransportError) return error;
      throw error;
    }
  }
}

const urgently = { priority: 1 };
const normally = { priority: 0 };
