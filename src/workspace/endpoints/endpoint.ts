import type { ZodType } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Method } from '../../model/ports.ts';

/** One operation of the specification. */
export interface Endpoint<T> {
  /** How the client calls it: `contacts.create`. */
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

/** What a single call may say about itself. */
export interface CallOptions {
  /** Goes before others that wait for a connection: for requests that finish a row already begun. */
  readonly urgent?: boolean;
  /** The caller knows that a second sending of this one has no second effect. */
  readonly idempotent?: boolean;
}

/** What fills an endpoint's template. */
export interface CallRequest {
  /** Encoded, relative to the base URL; null where it cannot be encoded. */
  readonly path: string | null;
  readonly query?: string;
  readonly body?: unknown;
}

/** Sends one request, with pacing and retries. */
export type Call = <T>(
  endpoint: Endpoint<T>,
  request: CallRequest,
  options?: CallOptions,
) => Promise<Answer<T>>;
