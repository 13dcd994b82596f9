import type { ZodType } from 'zod';
import type { WorkspaceAnswer } from '../../model/answer.ts';
import type { Identifier } from '../../model/identifier.ts';
import type { HttpMethod } from '../../model/ports.ts';

/** One operation of the specification. */
export interface Endpoint<T> {
  /** Its name in the client: `contacts.create`. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** Relative to the base URL, as the specification writes it: `/contact/{identifier}`. */
  readonly template: string;
  /**
   * True if sending it twice has the same effect as sending it once; only then is it sent again after a lost answer.
   */
  readonly idempotent: boolean;
  readonly response: ZodType<T>;
  /** True where it changes nothing although its method is not GET. */
  readonly readOnly?: boolean;
  /**
   * True if values of the answer may be written back to the workspace; an answer with damaged text then counts as lost.
   */
  readonly exact?: boolean;
  /** True where a 2xx with an empty body is a valid answer, read as null. */
  readonly emptyPasses?: boolean;
}

/** Declares an operation; unless `more` says otherwise, every method but POST is idempotent. */
export function defineEndpoint<T>(
  operation: string,
  method: HttpMethod,
  template: string,
  response: ZodType<T>,
  more: Partial<Endpoint<T>> = {},
): Endpoint<T> {
  return { operation, method, template, idempotent: method !== 'POST', response, ...more };
}

/** The reason why a later answer may differ: the request is queued (449), or its contact is not visible yet (404). */
export type NotReadyReason = 'queued' | 'notYet';

/** The options for waiting while the workspace is not ready for a call. */
export interface CallWaitOptions {
  /** Returns the time (ms since 1970) when the request was first queued, in this session or an earlier one. */
  readonly queuedSince?: (now: number) => number;
  /** The time (ms since 1970) until which a 404 may mean a contact that is not visible yet. */
  readonly showsBy?: number | undefined;
  /** Surrounds each wait, so that other rows can use the pool slot meanwhile. */
  readonly withoutSlot?: ((wait: () => Promise<void>, why: NotReadyReason) => Promise<void>) | undefined;
}

/** The options of a single call. */
export interface EndpointCallOptions {
  /** True to send it before others that wait for a connection: for requests that finish a row already begun. */
  readonly urgent?: boolean;
  /** Overrides the endpoint's own property: true if sending this request twice has the same effect as once. */
  readonly idempotent?: boolean;
  /** The waits for a workspace that is not ready for the call. */
  readonly waits?: CallWaitOptions | undefined;
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
export type CallEndpoint = <T>(
  endpoint: Endpoint<T>,
  request: CallRequest,
  options?: EndpointCallOptions,
) => Promise<WorkspaceAnswer<T>>;

type Params = Readonly<Record<string, Identifier | number>>;

/** Returns the query, body and path parameters of a request for a value. */
type Fill<V> = (value: V) => Content & { readonly params?: Params };

/** Returns a function that calls an endpoint with the request that `fill` makes of a value. */
export function createEndpointCall<T, V>(call: CallEndpoint, to: Endpoint<T>, fill: Fill<V>) {
  return (value: V, options?: EndpointCallOptions): Promise<WorkspaceAnswer<T>> => {
    const { params = {}, ...content } = fill(value);
    return call(to, { path: fillPath(to.template, params), ...content }, options);
  };
}

/** Returns a function that calls an endpoint for a contact, with the request that `fill` makes of a value. */
export function createContactEndpointCall<T, V>(call: CallEndpoint, to: Endpoint<T>, fill: Fill<V>) {
  return (identifier: Identifier, value: V, options?: EndpointCallOptions): Promise<WorkspaceAnswer<T>> => {
    const { params, ...content } = fill(value);
    return call(to, { path: fillPath(to.template, { identifier, ...params }), ...content }, options);
  };
}

/** Returns the path of a template with its parameters filled in; null where an identifier cannot be sent. */
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
 * Returns an identifier for a path, percent-encoded except for the colon of its prefix, so that no value can change the
 * path; null where it has a lone surrogate and cannot be sent.
 */
function identifierSegment(identifier: Identifier): string | null {
  try {
    return `${identifier.kind}:${encodeURIComponent(identifier.value)}`;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
