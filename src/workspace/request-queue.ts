import PQueue from 'p-queue';
import {
  CancelToken,
  type Clock,
  type Transport,
  TransportError,
  type TransportRequest,
} from '../model/ports.ts';
import type { ConcurrencyLimit, EndedRequest } from './concurrency.ts';
import type { AttemptResult } from './verdict.ts';

interface RequestQueueOptions {
  readonly transport: Transport;
  /** The bound on requests under way at once. */
  readonly concurrency: ConcurrencyLimit;
  /** Milliseconds that a whole answer may take, headers and body together. */
  readonly answerMs: number;
  readonly clock: Clock;
  /** Once it is aborted, no request is sent. */
  readonly signal: AbortSignal;
}

/** The options for sending one request. */
export interface SendOptions {
  /** True to send it before others that wait for a connection. */
  readonly urgent: boolean;
  /** True where it changes nothing, so that a stop need not wait for its answer. */
  readonly readOnly: boolean;
  /** Called right before sending; where it returns false, nothing is sent. */
  readonly beforeSend: () => boolean;
}

/** Sends requests over a transport, with a bound on those under way at once and on the time of each. */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #queue: PQueue;
  /** The requests under way, in the order in which they were sent. */
  readonly #underWay = new Set<UnderWay>();
  #isWatching = false;
  readonly #closed = new AbortController();

  constructor(options: RequestQueueOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.concurrency.limit });
    options.signal.addEventListener('abort', () => this.#giveUpReads(), { once: true });
  }

  /**
   * Sends one request as soon as a connection is free, urgent ones first; returns undefined where `beforeSend`
   * prevented it. Rejects with the signal's reason after a stop.
   */
  send(request: TransportRequest, sending: SendOptions): Promise<AttemptResult | undefined> {
    return this.#queue.add(() => this.#send(request, sending), sending.urgent ? urgently : normally);
  }

  /** Adjusts the bound on requests under way to an attempt that has ended. */
  ended(request: Omit<EndedRequest, 'underWay'>): void {
    const { concurrency } = this.#options;
    // The attempt itself has left the queue by now.
    concurrency.note({ ...request, underWay: this.#queue.pending + 1 });
    if (this.#queue.concurrency !== concurrency.limit) this.#queue.concurrency = concurrency.limit;
  }

  /** Waits at most `graceMs` for requests under way, then drops every connection. */
  async close(graceMs: number): Promise<void> {
    const { clock, transport } = this.#options;
    const enough = new AbortController();
    const patience = clock.sleep(graceMs, enough.signal).catch(() => undefined);
    await Promise.race([this.#queue.onIdle(), patience]);
    enough.abort();
    this.#closed.abort();
    await transport.close();
  }

  async #send(
    request: TransportRequest,
    { readOnly, beforeSend }: SendOptions,
  ): Promise<AttemptResult | undefined> {
    const { transport, clock, answerMs, signal } = this.#options;
    signal.throwIfAborted();
    if (!beforeSend()) return undefined;
    const wanted = new CancelToken();
    let underWay: UnderWay | undefined;
    try {
      return await new Promise<AttemptResult>((resolve, reject) => {
        const giveUp = (reason: Error) => {
          reject(reason);
          wanted.giveUp(reason);
        };
        underWay = { readOnly, until: clock.now() + answerMs, giveUp };
        this.#watch(underWay);
        transport.send(request, wanted).then(resolve, reject);
      });
    } catch (error) {
      if (error instanceof TransportError) return error;
      throw error;
    } finally {
      if (underWay !== undefined) this.#underWay.delete(underWay);
    }
  }

  /** Adds a request to those under way. One timer is enough for all of them: the oldest request times out first. */
  #watch(sent: UnderWay): void {
    this.#underWay.add(sent);
    if (this.#isWatching) return;
    this.#isWatching = true;
    const { clock } = this.#options;
    clock.sleep(Math.max(0, sent.until - clock.now()), this.#closed.signal, 'upkeep').then(
      () => this.#giveUpLate(),
      () => undefined, // closed: every connection is dropped
    );
  }

  #giveUpLate(): void {
    const { clock, answerMs } = this.#options;
    this.#isWatching = false;
    const now = clock.now();
    for (const sent of this.#underWay) {
      if (sent.until > now) {
        this.#watch(sent);
        return;
      }
      this.#underWay.delete(sent);
      sent.giveUp(new TransportError(`no complete answer within ${answerMs / 1_000} s`, true));
    }
  }

  /** Cancels the requests under way that change nothing, which a stop need not wait for. */
  #giveUpReads(): void {
    for (const { readOnly, giveUp } of this.#underWay) if (readOnly) giveUp(this.#options.signal.reason);
  }
}

/** A request that was sent and is not answered yet. */
interface UnderWay {
  readonly readOnly: boolean;
  /** The time (ms) after which it has taken too long. */
  readonly until: number;
  readonly giveUp: (reason: Error) => void;
}

const urgently = { priority: 1 };
const normally = { priority: 0 };
