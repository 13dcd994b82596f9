import type { ZodError } from 'zod';
import type { WorkspaceAnswer } from '../model/answer.ts';
import { toSingleLine } from '../model/escape-controls.ts';
import type { TransportError, TransportResponse } from '../model/ports.ts';
import { type DecodedAnswer, decodeAnswer } from './decode.ts';
import type { Endpoint, NotReadyReason } from './endpoints/endpoint.ts';

/** The result of one attempt: a complete answer, or the error where none came. */
export type AttemptResult = TransportResponse | TransportError;

/** The meaning of an answer for its request; `reached` says whether the workspace itself has answered. */
export type Verdict<T> =
  | {
      readonly kind: 'settled';
      readonly reached: boolean;
      readonly answer: WorkspaceAnswer<T>;
      /** Set where nothing was done and the same request may succeed later. */
      readonly notReady?: NotReadyReason;
    }
  /** 429: the request is sent again after a wait of its bucket; `waitSeconds` where the workspace gave a time. */
  | { readonly kind: 'limited'; readonly reached: true; readonly waitSeconds: number | undefined }
  /** The request is sent again after a backoff, of at least `waitSeconds` where the workspace gave a time. */
  | {
      readonly kind: 'retry';
      readonly reached: boolean;
      readonly message: string;
      readonly waitSeconds: number | undefined;
    }
  /** 401: the run stops. */
  | { readonly kind: 'unauthorized'; readonly reached: true; readonly message: string }
  /** 403: the token lacks the permission for this request, or for every request of its kind. */
  | { readonly kind: 'forbidden'; readonly reached: true; readonly message: string };

type Settled<T> = Extract<Verdict<T>, { readonly kind: 'settled' }>;

/** The properties of an endpoint that decide how the body of a 2xx answer is parsed. */
type Reading<T> = Pick<Endpoint<T>, 'response' | 'emptyPasses' | 'exact'>;

/**
 * Returns the verdict of an attempt by its status and body; only an `idempotent` request is sent again after a lost
 * answer.
 */
export function decideVerdict<T>(
  received: AttemptResult,
  idempotent: boolean,
  endpoint: Reading<T>,
): Verdict<T> {
  if (received instanceof Error) {
    const message = `no answer: ${received.message}`;
    if (!received.maybeSent) return again(message, false, undefined);
    return lost(message, idempotent, false);
  }
  const { status } = received;
  if (status >= 200 && status < 300) return success(received, idempotent, endpoint);
  const message = words(received);
  if (status >= 500 || status < 200) {
    return lost(`the workspace answered ${status}: ${message}`, idempotent, false, received.retryAfter);
  }
  if (status < 400) return refused(status, `redirect not followed (${status})`);
  switch (status) {
    case 401:
      return { kind: 'unauthorized', reached: true, message };
    case 403:
      return { kind: 'forbidden', reached: true, message };
    case 404:
      return { ...settled<T>({ kind: 'absent', message }), notReady: 'notYet' };
    case 429:
      return { kind: 'limited', reached: true, waitSeconds: received.retryAfter };
    case 449:
      return { ...settled<T>({ kind: 'queued', message }), notReady: 'queued' };
    default:
      return refused(status, message);
  }
}

function success<T>(response: TransportResponse, idempotent: boolean, endpoint: Reading<T>): Verdict<T> {
  const { status } = response;
  let decoded: DecodedAnswer;
  try {
    const isEmpty = endpoint.emptyPasses === true && response.body.trim() === '';
    decoded = isEmpty ? { body: null, flaws: [] } : decodeAnswer(response);
  } catch {
    // Not the workspace's own answer, but a proxy's or a truncated one: it counts as a lost answer.
    return lost(`the workspace answered ${status} with a body that is not JSON`, idempotent, false);
  }
  const misfit = (what: string) =>
    lost<T>(`the workspace answered ${status} with a body that ${what}`, idempotent, true);
  if (endpoint.exact === true && response.damaged === true) return misfit('is not valid UTF-8');
  const result = endpoint.response.safeParse(decoded.body);
  if (!result.success) return misfit(`does not fit: ${misfitOf(result.error)}`);
  const { flaws } = decoded;
  return settled({ kind: 'ok', value: result.data, ...(flaws.length > 0 && { flaws }) });
}

/** Returns the first problem of a body that does not fit its schema, with its path. */
function misfitOf({ issues: [issue] }: ZodError): string {
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
  return `${where}: ${issue?.message ?? 'unknown'}`;
}

function settled<T>(answer: WorkspaceAnswer<T>): Settled<T> {
  return { kind: 'settled', reached: true, answer };
}

function refused<T>(status: number, message: string): Verdict<T> {
  return settled({ kind: 'refused', status, message });
}

function again<T>(message: string, reached: boolean, waitSeconds: number | undefined): Verdict<T> {
  return { kind: 'retry', reached, message, waitSeconds };
}

/** Returns the verdict of a request that may have been applied: only an idempotent one is sent again. */
function lost<T>(message: string, idempotent: boolean, reached: boolean, waitSeconds?: number): Verdict<T> {
  if (idempotent) return again(message, reached, waitSeconds);
  return { kind: 'settled', reached, answer: unknownAnswer(message, reached) };
}

/** Returns the answer of a request that may have been applied; the workspace was reached where its body does not fit. */
export function unknownAnswer(message: string, reached: boolean): WorkspaceAnswer<never> {
  return { kind: 'unknown', message, ...(reached && { misfit: true }) };
}

const longestWords = 500;

/** Returns the message of an error body on one line, at most 500 characters: its `message`, or else the whole text. */
function words(response: TransportResponse): string {
  const text = messageOf(response.body) ?? response.body.trim();
  const shown = text === '' ? 'no message' : toSingleLine(text);
  return shown.length > longestWords ? `${shown.slice(0, longestWords)}…` : shown;
}

function messageOf(body: string): string | undefined {
  try {
    const decoded: unknown = JSON.parse(body);
    if (typeof decoded === 'object' && decoded !== null && 'message' in decoded) {
      return typeof decoded.message === 'string' ? decoded.message : JSON.stringify(decoded.message);
    }
    return undefined;
  } catch {
    return undefined;
  }
}
