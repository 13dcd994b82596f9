import type { ZodType } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Identifier } from '../../model/identifier.ts';
import type { Method } from '../../model/ports.ts';

/** One operation of the specification. */
export interface Endpoint<T> {
  /** Its name in the client: `contacts.create`. */
  readonly operation: string;
  readonly method: Method;
  /** Relative to the base URL, as the specification writes it: `/contact/{identifier}`. */
  readonly template: string;
  /** Whether a second sending has no second effect, so that a lost answer may be answered by sending again. */
  readonly idempotent: boolean;
  readonly response: ZodType<T>;
  /** Whether it changes nothing although its method could; every GET is so. */
  readonly readOnly?: boolean;
  /** Whether what it gives may be written back, so that an answer with damaged text is not taken. */
  readonly exact?: boolean;
  /** Whether 2xx with an empty body is a good answer, read as null. */
  readonly emptyPasses?: boolean;
}

/** Declares an operation; unless `more` says otherwise, whatever is no POST has no second effect. */
export function endpoint<T>(
  operation: string,
  method: Method,
  template: string,
  response: ZodType<T>,
  more: Partial<Endpoint<T>> = {},
): Endpoint<T> {
  return { operation, method, template, idempotent: method !== 'POST', response, ...more };
}

/** Why an answer may be another one later: the request is queued (449), or its contact does not show yet (404). */
export type NotReady = 'queued' | 'notYet';

/** The waits of one call for a workspace that is not ready for it. */
export interface CallWaits {
  /** Returns since when (ms) the request has been queued, where an earlier session has met the same 449. */
  readonly queuedSince?: (now: number) => number;
  /** Until when (ms) 404 may be about a contact that does not show yet. */
  readonly showsBy?: number | undefined;
  /** Surrounds each wait: gives back what others can use meanwhile. */
  readonly withoutSlot?: ((wait: () => Promise<void>, why: NotReady) => Promise<void>) | undefined;
}

/** The options of a single call. */
export interface CallOptions {
  /** Goes before others that wait for a connection: for requests that finish a row already begun. */
  readonly urgent?: boolean;
  /** The caller knows that a second sending of this one has no second effect. */
  readonly idempotent?: boolean;
  /** How it waits while the workspace is not ready for it. */
  readonly waits?: CallWaits | undefined;
}

/** The query and the body of a request. */
interface Content {
  readonly query?: string;
  readonly body?: unknown;
}

/** A request to an endpoint. */
export interface CallRequest extends Content {
  /** Encoded, relative to the base URL; null where it cannot be encoded. */
  readonly path: string | null;
}

/** Sends one request, with pacing and retries. */
export type Call = <T>(
  endpoint: Endpoint<T>,
  request: CallRequest,
  options?: CallOptions,
) => Promise<Answer<T>>;

type Params = Readonly<Record<string, Identifier | number>>;

/** Makes the content and the path parameters of a request from a value. */
type Fill<V> = (value: V) => Content & { readonly params?: Params };

/** A function that calls an endpoint with a value. */
export function callWithValue<T, V>(call: Call, to: Endpoint<T>, fill: Fill<V>) {
  return (value: V, options?: CallOptions): Promise<Answer<T>> => {
    const { params = {}, ...content } = fill(value);
    return call(to, { path: fillPath(to.template, params), ...content }, options);
  };
}

/** A function that calls an endpoint about a contact, with a value. */
export function callAboutContact<T, V>(call: Call, to: Endpoint<T>, fill: Fill<V>) {
  return (identifier: Identifier, value: V, options?: CallOptions): Promise<Answer<T>> => {
    const { params, ...content } = fill(value);
    return call(to, { path: fillPath(to.template, { identifier, ...params }), ...content }, options);
  };
}

/** A path with its parameters in place; null where an identifier cannot be sent. */
export function fillPath(template: string, params: Params): string | null {
  let path = template;
  for (const [name, value] of Object.entries(params)) {
    const segment = typeof value === 'number' ? String(value) : identifierSegment(value);
    if (segment === null) return null;
    path = path.replaceAll(`{${name}}`, () => segment);
  }
  return path;
}

/**
 * An identifier as it stands in a path, percent-encoded but for the colon of its prefix, so that no value can climb or
 * cut the path; null where it holds half a surrogate pair and cannot be sent.
 */
function identifierSegment(identifier: Identifier): string | null {
  try {
    return `${identifier.kind}:${encodeURIComponent(identifier.value)}`;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
