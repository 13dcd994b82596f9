import type { Answer } from '../model/answer.ts';
import { FatalError, SliceOver } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import { noteAnswer } from '../model/timing.ts';
import { backoffMs } from './backoff.ts';
import type { Burden } from './concurrency.ts';
import { type Delivery, deliveryOf } from './delivery.ts';
import type { CallOptions, CallRequest, Endpoint } from './endpoints/endpoint.ts';
import { probeEndpoint } from './endpoints/operations.ts';
import { Outage } from './outage.ts';
import { type Permission, Permissions } from './permissions.ts';
import { RequestCounter, type RequestCounts } from './request-counts.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Slot, Throttle } from './throttle.ts';
import { type Received, type Verdict, verdict } from './verdict.ts';
import { WaitNotices } from './wait-notices.ts';
import type { WorkspaceEvent } from './workspace-event.ts';
import { wrongAddress } from './wrong-address.ts';

export interface ClientOptions {
  /** What people call the workspace: its base URL. */
  readonly name: string;
  readonly throttle: Throttle;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Attempts per request while the workspace answers others. */
  readonly attempts: number;
  readonly outageMs: number;
  /** How long the first answer of the workspace may take, and what is done then. */
  readonly connectMs: number;
  readonly unanswered: 'give up' | 'keep trying';
  readonly signal: AbortSignal;
  /** Ends everything that waits, with an error for all of it. */
  readonly giveUp: (error: FatalError) => void;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Taken out of every text that leaves the client. */
  readonly secret: string;
}

/** Since when a request meets nothing but 429, and how many answers of the workspace had come when it last did. */
interface Limited {
  readonly since: number;
  readonly answers: number;
}

/** What is left when nothing is to be tried again. */
type Final<T> = Exclude<Verdict<T>, { kind: 'limited' } | { kind: 'retry' }>;

/** Sends requests until there is an answer to give: paced, retried where that is safe, held back in an outage. */
export class Client {
  readonly counter = new RequestCounter();
  readonly #options: ClientOptions;
  readonly #outage: Outage;
  readonly #notices: WaitNotices;
  readonly #permissions: Permissions;
  /** When the first call began (ms since 1970). */
  #askedSince: number | undefined;
  /** Whether a workspace has answered: then the base URL is right. */
  #isThere = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#outage = new Outage({ ...options, probe: () => this.#probe() });
    this.#notices = new WaitNotices({
      ...options,
      problem: () => this.#outage.problem,
      noFirstAnswer: () => {
        if (options.unanswered === 'keep trying') return 'still waiting';
        this.#outage.neverAnswered(options.connectMs);
        return 'given up';
      },
    });
    this.#permissions = new Permissions(options.signal);
  }

  /**
   * Calls an endpoint. Throws a FatalError where the token is refused or the workspace stays out of reach, and rejects
   * with the signal's reason when the run was stopped; then nothing that must not be sent twice has left for this call.
   */
  async call<T>(endpoint: Endpoint<T>, request: CallRequest, options?: CallOptions): Promise<Answer<T>> {
    const { path } = request;
    if (path === null) return unsendable;
    const delivery = this.#delivery(endpoint, { ...request, path }, options);
    const { permission } = delivery;
    const mayTry = permission.enter(this.#options.signal);
    if (mayTry !== undefined) await mayTry;
    this.#notices.begin();
    this.#askedSince ??= this.#options.clock.now();
    try {
      return this.#conclude(await this.#deliver(delivery), permission);
    } finally {
      this.#notices.end();
      permission.leave();
    }
  }

  /** What to stop with: a slice that ends before the workspace has answered any request ends as an outage does. */
  whyStopped(reason: unknown): unknown {
    const since = this.#askedSince;
    if (!(reason instanceof SliceOver) || since === undefined || this.#outage.answers > 0) return reason;
    // What was asked just now may be answered yet.
    const isSilent = this.#outage.problem !== undefined || this.#options.clock.now() - since >= longMs;
    return isSilent ? this.#outage.unheard(since) : reason;
  }

  #conclude<T>(final: Final<T>, permission: Permission): Answer<T> {
    switch (final.kind) {
      case 'settled': {
        const { answer } = final;
        // Every answer about the resource shows that the token has the permission, also that it does not exist.
        if (answer.kind === 'ok' || answer.kind === 'absent' || answer.kind === 'queued') permission.pass();
        return this.#scrubbed(answer);
      }
      case 'unauthorized':
        throw this.#unauthorized(final.message);
      case 'forbidden': {
        const message = this.#scrub(final.message);
        const denied = permission.deny(message);
        if (denied !== undefined) throw denied;
        return { kind: 'refused', status: 403, message };
      }
    }
  }

  #delivery<T>(
    endpoint: Endpoint<T>,
    request: { readonly path: string; readonly query?: string; readonly body?: unknown },
    options: CallOptions & { readonly probe?: boolean } = {},
  ): Delivery<T> {
    const shared = { counts: this.counter.of(endpoint), permission: this.#permissions.of(endpoint) };
    return deliveryOf(endpoint, request, options, shared);
  }

  async #deliver<T>(delivery: Delivery<T>): Promise<Final<T>> {
    const { attempts, clock, signal } = this.#options;
    let answersBefore = this.#outage.answers;
    let limited: Limited | undefined;
    let counted = 0;
    let silent = 0;
    for (;;) {
      const result = await this.#attempt(delivery);
      delivery.again = true;
      if (result.kind === 'limited') {
        if (limited !== undefined && this.#isOutlasted(limited)) return limitedForGood;
        limited = { since: limited?.since ?? clock.now(), answers: this.#outage.answers };
        continue;
      }
      if (result.kind !== 'retry') return result;
      // An attempt counts against this request only where the workspace has answered anybody since the one before.
      if (this.#outage.answers !== answersBefore) counted += 1;
      else silent += 1;
      answersBefore = this.#outage.answers;
      if (counted >= attempts) {
        return {
          kind: 'settled',
          reached: result.reached,
          answer: { kind: 'unknown', message: result.message },
        };
      }
      delivery.counts.retried += 1;
      await clock.sleep(this.#waitBefore(counted || silent, result), signal);
      // With nobody else to learn it from, ask: is it this request, or everything?
      if (silent >= attempts && this.#outage.open) await this.#outage.ask();
    }
  }

  /**
   * Whether a request has met nothing but 429 for as long as an outage may last, and others are still answered; where they
   * are not, the outage ends the run, and the request is not at fault.
   */
  #isOutlasted({ since, answers }: Limited): boolean {
    const { clock, outageMs } = this.#options;
    return this.#outage.answers > answers && clock.now() - since >= outageMs;
  }

  #waitBefore(
    failures: number,
    { message, waitSeconds = 0 }: { readonly message: string; readonly waitSeconds: number | undefined },
  ): number {
    const asked = Math.min(waitSeconds * 1_000, this.#options.outageMs);
    this.#notices.wait(asked, `${message}; it asked for this wait (Retry-After)`);
    return Math.max(backoffMs(failures, this.#options.randomness), asked);
  }

  async #attempt<T>(delivery: Delivery<T>): Promise<Verdict<T>> {
    const { throttle, clock, queue } = this.#options;
    const { request, bucket, again, probe, urgent, readOnly, idempotent, reading, counts } = delivery;
    for (;;) {
      if (!probe && !this.#outage.open) await this.#outage.pass();
      const taken = throttle.take(bucket, again || probe);
      // A free slot is there at once: an await for nothing would cost every request a turn.
      const slot = taken instanceof Promise ? await this.#turn(taken, counts) : taken;
      let sentAt = 0;
      const beforeSend = () => {
        if (!probe && !this.#outage.open) return false;
        sentAt = clock.now();
        throttle.sent(slot);
        counts.sent += 1;
        return true;
      };
      const received = await queue.send(request, { urgent, readOnly, beforeSend });
      if (received === undefined) {
        throttle.giveBack(slot);
        continue;
      }
      const result = verdict(received, idempotent, reading);
      if (result.reached && result.kind !== 'limited') noteAnswer(counts.timing, clock.now() - sentAt);
      this.#note(result, received, slot, sentAt, delivery);
      const wrong =
        delivery.everywhere && !this.#isThere
          ? wrongAddress(received, request, this.#options.name)
          : undefined;
      if (wrong !== undefined) throw wrong;
      return result;
    }
  }

  async #turn(slot: Promise<Slot>, { timing }: RequestCounts): Promise<Slot> {
    const { clock } = this.#options;
    const since = clock.now();
    try {
      return await slot;
    } finally {
      timing.waitedMs += Math.max(0, clock.now() - since);
    }
  }

  #note<T>(
    result: Verdict<T>,
    received: Received,
    slot: Slot,
    sentAt: number,
    { counts, permission, bucket }: Delivery<T>,
  ): void {
    const { throttle, queue, clock } = this.#options;
    const size = received instanceof Error ? 0 : received.body.length;
    queue.ended({ operation: counts, bucket, ms: clock.now() - sentAt, burden: burdenOf(result), size });
    if (result.kind === 'limited') {
      counts.limited += 1;
      throttle.limited(slot, this.#waitOfLimit(result.waitSeconds));
    } else if (result.kind === 'settled') {
      if (result.answer.kind === 'ok') {
        counts.ok += 1;
        this.#isThere = true;
      } else if (result.answer.kind === 'queued') counts.queued += 1;
    }
    throttle.answered(slot);
    if (result.kind !== 'forbidden' && result.kind !== 'unauthorized') permission.hear();
    if (result.kind === 'limited') this.#outage.limited(sentAt);
    else if (result.reached) {
      this.#outage.answered();
      if (result.kind === 'settled' && result.answer.kind === 'queued') this.#notices.queued();
      else this.#notices.answered();
    } else {
      const message = received instanceof Error ? received.message : `status ${received.status}`;
      this.#outage.failed(sentAt, this.#scrub(message));
    }
  }

  /** What the workspace asks for is waited for, as long as an outage may last at the most. */
  #waitOfLimit(seconds: number | undefined): number | undefined {
    if (seconds === undefined) return undefined;
    const ms = Math.min(seconds * 1_000, this.#options.outageMs);
    this.#notices.wait(
      ms,
      'the workspace answered 429, too many requests; it asked for this wait (Retry-After)',
    );
    return ms;
  }

  async #probe(): Promise<boolean> {
    const result = await this.#attempt(
      this.#delivery(probeEndpoint, { path: probeEndpoint.template, query: 'limit=1' }, { probe: true }),
    );
    return result.reached && result.kind !== 'limited';
  }

  #unauthorized(message: string): FatalError {
    return new FatalError('unauthorized', `The workspace refused the token (401 ${this.#scrub(message)}).`, {
      next: 'Check the token in the workspace settings: Integrations, Developer API.',
    });
  }

  #scrubbed<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind === 'ok') return answer;
    return { ...answer, message: this.#scrub(answer.message) };
  }

  #scrub(text: string): string {
    return text.replaceAll(this.#options.secret, '***');
  }
}

function burdenOf({ kind, reached }: Verdict<unknown>): Burden {
  if (kind === 'limited') return 'limited';
  return reached ? 'answered' : 'failed';
}

/** How long the first request may take, before a workspace counts as silent at the end of a slice. */
const longMs = 10_000;

const unsendable: Answer<never> = {
  kind: 'refused',
  status: 400,
  message: 'The identifier has half of a character (a lone surrogate) and cannot be sent. Nothing was sent.',
};

const limitedForGood: Final<never> = {
  kind: 'settled',
  reached: true,
  answer: { kind: 'refused', status: 429, message: 'Too Many Requests, for as long as limits.outage' },
};
