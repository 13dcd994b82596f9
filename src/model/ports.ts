/** Time, handed in so that a test or a simulation can hold it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Randomness, handed in for the same reason. */
export interface Randomness {
  /** A number in [0, 1). */
  next(): number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface TransportRequest {
  readonly method: Method;
  /** Encoded, relative to the base URL, beginning with a slash, without the query. */
  readonly path: string;
  /** Encoded, without the question mark; empty for none. */
  readonly query: string;
  /** JSON text, or undefined for none. */
  readonly body: string | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Seconds until a retry is safe, from `Retry-After`, where it was given. */
  readonly retryAfter: number | undefined;
  readonly body: string;
}

/** One request out, one answer back; no retries, no pacing, no redirects. */
export interface Transport {
  /** Throws a TransportError where no whole answer came. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** No whole answer came. */
export class TransportError extends Error {
  /** Whether the request may have reached the server: false only where it surely never left. */
  readonly maybeSent: boolean;

  constructor(message: string, maybeSent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.maybeSent = maybeSent;
  }
}
