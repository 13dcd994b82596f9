import { FatalError } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import { type OperationTiming, recordAnswerTime } from '../model/timing.ts';
import type { LoadFeedback } from './concurrency.ts';
import type { AttemptWithVerdict, DeliverRequest, RequestInDelivery, SendOnce } from './delivery.ts';
import type { OutageMonitor } from './outage.ts';
import type { PermissionGate } from './permissions.ts';
import type { RequestCounts } from './request-counts.ts';
import type { RequestQueue } from './request-queue.ts';
import type { Throttle, ThrottleSlot } from './throttle.ts';
import { decideVerdict, unknownAnswer, type Verdict } from './verdict.ts';
import type { WaitReporter } from './wait-notices.ts';
import {
  backoffForQueuedRequest,
  computeBackoffMs,
  createBackoffForNewContact,
  sleepForNextPause,
} from './waits.ts';
import { isUniversalListEndpoint, toWrongBaseUrlError } from './wrong-address.ts';

/** The settings and parts that the interceptors of one client share. */
export interface InterceptorContext {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
  readonly queue: RequestQueue;
  readonly throttle: Throttle;
  readonly outage: OutageMonitor;
  readonly notices: WaitReporter;
  /** The most attempts per request, not counting those during a silence of the whole workspace. */
  readonly attempts: number;
  readonly outageMs: number;
  /** Replaces the token with *** in a text that came from the workspace. */
  readonly scrub: (text: string) => string;
}

type Kind = Verdict<unknown>['kind'];

// Hundreds of requests are under way at once, each in all of these layers. A layer therefore continues in a
// callback: an async function would keep its whole frame in memory until the answer. Only a request that is
// sent again continues in an async function.

/** Returns the innermost layer: it sends an attempt through the queue, and counts and times it under its endpoint. */
export function createTransmitter({ queue, clock }: InterceptorContext): SendOnce {
  return (delivery, beforeSend) => {
    const { endpoint, request, options, counts, bucket } = delivery;
    let sentAt = 0;
    const sent = queue.send(request, {
      urgent: options.urgent ?? false,
      readOnly: endpoint.method === 'GET' || endpoint.readOnly === true,
      beforeSend() {
        sentAt = clock.now();
        if (!beforeSend()) return false;
        counts.sent += 1;
        return true;
      },
    });
    return sent.then((received) => {
      if (received === undefined) return undefined;
      const verdict = decideVerdict(received, options.idempotent ?? endpoint.idempotent, endpoint);
      const size = received instanceof Error ? 0 : received.body.length;
      const ms = clock.now() - sentAt;
      queue.ended({ operation: counts, bucket, ms, burden: burdenOf(verdict), size });
      count(verdict, ms, counts);
      return { received, verdict, sentAt };
    });
  };
}

function count(result: Verdict<unknown>, ms: number, counts: RequestCounts): void {
  if (result.kind === 'limited') counts.limited += 1;
  else if (result.reached) recordAnswerTime(counts.timing, ms);
  if (result.kind !== 'settled') return;
  if (result.answer.kind === 'ok') counts.ok += 1;
  if (result.answer.kind === 'queued') counts.queued += 1;
}

function burdenOf({ kind, reached }: Verdict<unknown>): LoadFeedback {
  if (kind === 'limited') return 'limited';
  return reached ? 'answered' : 'failed';
}

/** Adds a layer that waits for a slot of the request's bucket, and blocks the bucket for as long as a 429 asks for. */
export function withPacing(
  next: SendOnce,
  { throttle, clock, outageMs, notices }: InterceptorContext,
): SendOnce {
  const sendWith = <T>(
    slot: ThrottleSlot,
    delivery: RequestInDelivery<T>,
    beforeSend: () => boolean,
  ): Promise<AttemptWithVerdict<T> | undefined> => {
    const sent = next(delivery, () => {
      if (!beforeSend()) return false;
      throttle.sent(slot);
      return true;
    });
    return sent.then((exchanged) => {
      if (exchanged === undefined) {
        throttle.giveBack(slot);
        return undefined;
      }
      const { verdict } = exchanged;
      if (verdict.kind === 'limited') {
        const { waitSeconds } = verdict;
        const ms = waitSeconds === undefined ? undefined : Math.min(waitSeconds * 1_000, outageMs);
        if (ms !== undefined)
          notices.wait(ms, `the workspace answered 429, too many requests; ${askedForIt}`);
        throttle.limited(slot, ms);
      }
      throttle.answered(slot);
      return exchanged;
    });
  };
  return (delivery, beforeSend) => {
    const { bucket, again, options, counts } = delivery;
    const taken = throttle.take(bucket, again || options.probe === true);
    // A free slot is used without `await`, which would cost every request a turn of the event loop.
    if (!(taken instanceof Promise)) return sendWith(taken, delivery, beforeSend);
    return timed(taken, clock, counts.timing).then((slot) => sendWith(slot, delivery, beforeSend));
  };
}

const askedForIt = 'it asked for this wait (Retry-After)';

/** Awaits a slot and adds the wait to the timing. */
async function timed(
  slot: Promise<ThrottleSlot>,
  clock: Clock,
  timing: OperationTiming,
): Promise<ThrottleSlot> {
  const since = clock.now();
  try {
    return await slot;
  } finally {
    timing.waitedMs += Math.max(0, clock.now() - since);
  }
}

/** Adds a layer that throws a FatalError where an answer before the first success shows a wrong base URL. */
export function withBaseUrlCheck(next: SendOnce, { name }: InterceptorContext): SendOnce {
  let isThere = false;
  const checked: SendOnce = async (delivery, beforeSend) => {
    const exchanged = await next(delivery, beforeSend);
    if (exchanged === undefined) return undefined;
    const { verdict, received } = exchanged;
    isThere ||= verdict.kind === 'settled' && verdict.answer.kind === 'ok';
    const { endpoint, request, options } = delivery;
    if (!isThere && options.probe !== true && isUniversalListEndpoint(endpoint)) {
      const wrong = toWrongBaseUrlError(received, request, name);
      if (wrong !== undefined) throw wrong;
    }
    return exchanged;
  };
  return (delivery, beforeSend) => (isThere ? next : checked)(delivery, beforeSend);
}

/**
 * Adds a layer that holds back all requests but probes during an outage, and reports each result to the outage monitor.
 */
export function withOutageHold(next: SendOnce, parts: InterceptorContext): DeliverRequest<Kind> {
  const { outage } = parts;
  const deliver: DeliverRequest<Kind> = (delivery) => {
    const mayLeave = () => delivery.options.probe === true || outage.open;
    const exchange = () =>
      next(delivery, mayLeave).then((exchanged) => {
        if (exchanged === undefined) return deliver(delivery);
        noteReach(exchanged, parts);
        return exchanged.verdict;
      });
    return mayLeave() ? exchange() : outage.pass().then(exchange);
  };
  return deliver;
}

function noteReach(
  { verdict, received, sentAt }: AttemptWithVerdict<unknown>,
  { outage, notices, scrub }: InterceptorContext,
): void {
  if (verdict.kind === 'limited') outage.limited(sentAt);
  else if (verdict.reached) {
    outage.answered();
    if (verdict.kind === 'settled' && verdict.notReady === 'queued') notices.queued();
    else notices.answered();
  } else {
    const failure = received instanceof Error ? received.message : `status ${received.status}`;
    outage.failed(sentAt, scrub(failure));
  }
}

/**
 * Adds a layer that admits only a few requests of a kind until one shows that the token may make them. It throws a
 * FatalError where the token is refused (401) or lacks the permission (403).
 */
export function withPermissionCheck(
  next: DeliverRequest<Kind>,
  { signal, scrub }: InterceptorContext,
): DeliverRequest<Exclude<Kind, 'unauthorized' | 'forbidden'>> {
  const judge = <T>(
    permission: PermissionGate,
    result: Verdict<T>,
  ): Exclude<Verdict<T>, { readonly kind: 'unauthorized' | 'forbidden' }> => {
    switch (result.kind) {
      case 'unauthorized':
        throw unauthorized(scrub(result.message));
      case 'forbidden': {
        const message = scrub(result.message);
        const denied = permission.deny(message);
        if (denied !== undefined) throw denied;
        return { kind: 'settled', reached: true, answer: { kind: 'refused', status: 403, message } };
      }
      case 'settled': {
        const { kind } = result.answer;
        permission.hear();
        // A 404 or 449 shows too that the token may make the request.
        if (kind === 'ok' || kind === 'absent' || kind === 'queued') permission.pass();
        return result;
      }
      default:
        permission.hear();
        return result;
    }
  };
  return (delivery) => {
    const { permission } = delivery;
    const leave = () => permission.leave();
    const deliver = () =>
      next(delivery)
        .then((result) => judge(permission, result))
        .finally(leave);
    const entered = permission.enter(signal);
    return entered === undefined ? deliver() : entered.then(deliver);
  };
}

function unauthorized(message: string): FatalError {
  return new FatalError('unauthorized', `The workspace refused the token (401 ${message}).`, {
    next: 'Check the token in the workspace settings: Integrations, Developer API.',
  });
}

/**
 * Adds a layer that sends a request again after each 429. After `outageMs` of 429, the request counts as refused if the
 * workspace has answered other requests during the last attempt. If it answers none, the outage ends the run.
 */
export function withRateLimitRetry(
  next: DeliverRequest<'settled' | 'limited' | 'retry'>,
  { clock, outage, outageMs }: InterceptorContext,
): DeliverRequest<'settled' | 'retry'> {
  const sendAgain: DeliverRequest<'settled' | 'retry'> = async (delivery) => {
    const since = clock.now();
    for (;;) {
      const answersBefore = outage.answers;
      const result = await next(delivery);
      if (result.kind !== 'limited') return result;
      // Where others are not answered either, the outage ends the run, and the request is not at fault.
      if (outage.answers > answersBefore && clock.now() - since >= outageMs) return limitedForGood;
    }
  };
  return (delivery) =>
    next(delivery).then((result) => {
      if (result.kind !== 'limited') return result;
      delivery.again = true;
      return sendAgain(delivery);
    });
}

const limitedForGood = {
  kind: 'settled',
  reached: true,
  answer: { kind: 'refused', status: 429, message: 'Too Many Requests, for as long as limits.outage' },
} as const;

/**
 * Adds a layer that sends a request again, with a backoff, while its verdict is `retry`. It gives up after `attempts`
 * attempts, not counting those during a silence, in which the workspace answers no request at all. A list of the
 * workspace is given up only after `outageMs`, too, because a whole run ends without it. The call counts as open until
 * its end, so that a silence is reported.
 */
export function withBackoffRetry(
  next: DeliverRequest<'settled' | 'retry'>,
  parts: InterceptorContext,
): DeliverRequest<'settled'> {
  const { clock, randomness, signal, outage, notices, attempts, outageMs } = parts;
  const sendAgain = async <T>(
    delivery: RequestInDelivery<T>,
    unanswered: Unanswered,
    answersAtStart: number,
  ): Promise<Settled<T>> => {
    let result: Settled<T> | Unanswered = unanswered;
    let answersBefore = answersAtStart;
    let counted = 0;
    let silent = 0;
    const patientUntil = clock.now() + (isUniversalListEndpoint(delivery.endpoint) ? outageMs : 0);
    while (result.kind === 'retry') {
      delivery.again = true;
      const { message, reached, waitSeconds = 0 } = result;
      // An attempt counts against this request only if the workspace has answered some request since the
      // attempt before.
      if (outage.answers !== answersBefore) counted += 1;
      else silent += 1;
      answersBefore = outage.answers;
      if (counted >= attempts) {
        // An answer that does not fit the interface will not fit it later either.
        const leftMs = reached ? 0 : patientUntil - clock.now();
        if (leftMs <= 0) return { kind: 'settled', reached, answer: unknownAnswer(message, reached) };
        notices.wait(leftMs, message);
      }
      delivery.counts.retried += 1;
      const asked = Math.min(waitSeconds * 1_000, outageMs);
      notices.wait(asked, `${message}; ${askedForIt}`);
      await clock.sleep(Math.max(computeBackoffMs(counted || silent, randomness), asked), signal);
      // No other request shows whether the workspace answers at all: probe it.
      if (silent >= attempts && outage.open) await outage.ask();
      result = await next(delivery);
    }
    return result;
  };
  const end = () => notices.end();
  return (delivery) => {
    const answersBefore = outage.answers;
    notices.begin();
    return next(delivery)
      .then((result) => (result.kind === 'settled' ? result : sendAgain(delivery, result, answersBefore)))
      .finally(end);
  };
}

type Settled<T> = Extract<Verdict<T>, { readonly kind: 'settled' }>;
type Unanswered = Extract<Verdict<unknown>, { readonly kind: 'retry' }>;

/**
 * Adds a layer that repeats a request while the workspace is not ready for it: after a 449 (queued) for a quarter of an
 * hour, or for `outageMs` if that is shorter, and after a 404 for a new contact until `showsBy`. Both answers mean that
 * nothing was changed, so any request may be sent again.
 */
export function withReadinessWait(
  next: DeliverRequest<'settled'>,
  parts: InterceptorContext,
): DeliverRequest<'settled'> {
  const { clock, outageMs } = parts;
  const queuedMs = Math.min(backoffForQueuedRequest.total, outageMs);
  const wait = async <T>(
    delivery: RequestInDelivery<T>,
    first: Settled<T>,
    firstAskedAt: number,
  ): Promise<Settled<T>> => {
    let [result, askedAt] = [first, firstAskedAt];
    let queuedUntil: number | undefined;
    for (let count = 0; ; count += 1) {
      const { notReady } = result;
      if (notReady === undefined) return result;
      const { queuedSince = itself, showsBy, withoutSlot = waiting } = delivery.options.waits ?? {};
      if (notReady === 'queued') queuedUntil ??= queuedSince(clock.now()) + queuedMs;
      const until = notReady === 'queued' ? queuedUntil : showsBy;
      if (until === undefined || askedAt >= until) return result;
      const { pauses } = notReady === 'queued' ? backoffForQueuedRequest : createBackoffForNewContact(0);
      await withoutSlot(() => sleepForNextPause(parts, { pauses, until }, count), notReady);
      askedAt = clock.now();
      result = await next(delivery);
    }
  };
  return (delivery) => {
    const askedAt = clock.now();
    return next(delivery).then((result) =>
      result.notReady === undefined ? result : wait(delivery, result, askedAt),
    );
  };
}

const itself = (now: number) => now;
const waiting = (wait: () => Promise<void>) => wait();
