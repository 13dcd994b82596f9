import { createHmac, randomUUID } from 'node:crypto';
import type { RowCounts } from '../model/outcome.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import type { AlertEvent } from './alert-event.ts';

/**
 * The JSON that an alert posts: the result of a command, without secrets and without anything from people's
 * cells.
 */
export interface Alert {
  readonly event: AlertEvent;
  /**
   * The pipeline's name; in a fleet `WORKSPACE/PIPELINE`, as the fleet file names them, and `and N more` behind it where
   * one alert is about several.
   */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** The id of the run; null where the command ended before a run began. */
  readonly run: string | null;
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  readonly exitCode: number;
  /** The start of the run, or of the command if no run began (ISO 8601, UTC). */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The time worked in all sessions of the run together (seconds). */
  readonly seconds: number;
  readonly message: string;
  /** What to do next: a command where there is one, null where there is nothing to do. */
  readonly next: string | null;
  /** The number of failed attempts in a row, this one included; after a success, the number of those before it. */
  readonly failures: number;
  /** The time of the first of those failures (ISO 8601, UTC); null where there are none. */
  readonly failingSince: string | null;
  /** True if the command ran on the local workspace (`--workspace sandbox`). */
  readonly rehearsal: boolean;
  readonly host: string;
  /** The numbers of rows by outcome; absent unless the run of an import began. */
  readonly rows?: RowCounts;
  /** The numbers of records by kind; absent unless an export was completed. */
  readonly counts?: Readonly<Record<string, number>>;
}

export interface AlertRequest {
  readonly url: string;
  /** Signs the alert; undefined sends it unsigned. */
  readonly secret: string | undefined;
  readonly alert: Alert;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Stops sending. */
  readonly signal: AbortSignal;
}

/** The result of sending an alert. */
export type AlertDelivery =
  | { readonly delivered: true }
  /** The alert is not known to have arrived; the reason is a clause without the address. */
  | { readonly delivered: false; readonly reason: string };

/** The time (ms) for all attempts together. */
const longestMs = 60_000;
const attemptMs = 10_000;
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/**
 * Posts an alert until the receiver accepts or finally refuses it, a minute is over, or `signal` aborts; a failure is
 * returned, not thrown.
 */
export async function sendAlert(request: AlertRequest): Promise<AlertDelivery> {
  const { alert, clock, randomness, signal } = request;
  const body = JSON.stringify(alert);
  // All attempts have one id: a receiver that accepted an attempt whose answer was lost can ignore the next one.
  const delivery = randomUUID();
  const end = clock.now() + longestMs;
  for (let tries = 1; ; tries += 1) {
    if (signal.aborted) return interrupted(signal);
    const attempt = await post(request, body, delivery, Math.min(attemptMs, end - clock.now()));
    if (attempt.kind === 'taken') return { delivered: true };
    if (signal.aborted) return interrupted(signal);
    if (attempt.kind === 'refused') return { delivered: false, reason: attempt.reason };
    const wait = Math.max(attempt.afterMs ?? 0, backoff(tries, randomness));
    if (clock.now() + wait >= end) {
      const times = tries === 1 ? 'once' : `${tries} times`;
      return { delivered: false, reason: `${attempt.reason}, tried ${times}` };
    }
    const slept = await clock.sleep(wait, signal).then(
      () => true,
      () => false,
    );
    if (!slept) return interrupted(signal);
  }
}

/** The result of one request: accepted, finally refused, or to be tried again after `afterMs`. */
type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'again'; readonly reason: string; readonly afterMs?: number | undefined };

async function post(request: AlertRequest, body: string, delivery: string, ms: number): Promise<Attempt> {
  const { url, secret, clock, signal } = request;
  const seconds = Math.floor(clock.now() / 1_000);
  const answered = new AbortController();
  const late = new AbortController();
  clock.sleep(ms, answered.signal).then(
    () => late.abort(),
    () => undefined, // The sleep is aborted once the receiver has answered.
  );
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'longshore',
        'longshore-delivery': delivery,
        ...(secret !== undefined && { 'longshore-signature': signature(body, secret, seconds) }),
      },
      body,
      signal: AbortSignal.any([signal, late.signal]),
    });
    await answer.body?.cancel();
    return attemptOf(answer, clock);
  } catch (error) {
    const reason = late.signal.aborted
      ? `no answer within ${Math.round(ms / 1_000)} s`
      : `no connection (${detailOf(error)})`;
    return { kind: 'again', reason };
  } finally {
    answered.abort();
  }
}

function attemptOf({ status, headers }: Response, clock: Clock): Attempt {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status >= 300 && status < 400) {
    return { kind: 'refused', reason: `answered ${status}, and redirects are not followed` };
  }
  const reason = `answered ${status}`;
  const passes = status === 408 || status === 429 || status >= 500;
  if (!passes) return { kind: 'refused', reason };
  return { kind: 'again', reason, afterMs: retryAfterMs(headers.get('retry-after'), clock.now()) };
}

/** Returns the wait (ms): it doubles from one second to fifteen, and half of it is random to spread many senders. */
function backoff(tries: number, randomness: Randomness): number {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1));
  return (most / 2) * (1 + randomness.next());
}

function interrupted(signal: AbortSignal): AlertDelivery {
  const { reason }: { reason: unknown } = signal;
  return { delivered: false, reason: reason instanceof Error ? reason.message : 'interrupted' };
}

/** Returns the code of an error (ECONNREFUSED) instead of its message, which might contain the receiver's address. */
function detailOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return error instanceof Error ? error.name : 'unknown';
}

/** Returns the wait (ms) of a `Retry-After`, in seconds or as a date (RFC 9110); undefined where it has neither. */
function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Returns the header `Longshore-Signature` of a body that is sent at `seconds` (Unix). */
function signature(body: string, secret: string, seconds: number): string {
  const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${code}`;
}
