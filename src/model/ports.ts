import type { Contact } from './contact.ts';
import type { Message } from './message.ts';
import type { User } from './user.ts';

/** The clock, passed in so that a test or a simulation can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves after `ms`; rejects with the signal's reason when it is aborted before. `upkeep` marks a wait that no work
   * depends on, so a simulated clock does not jump ahead for it.
   */
  sleep(ms: number, signal?: AbortSignal, purpose?: 'upkeep'): Promise<void>;
  /** Calls `fire` once after `ms`, unless the returned function is called before; absent where `setTimeout` does it. */
  after?(ms: number, fire: () => void): () => void;
  /** The milliseconds for which this thread has worked and not waited; absent where time is simulated. */
  worked?(): number;
}

/** The source of random numbers, passed in so that a test or a simulation can control it. */
export interface Randomness {
  /** A number in [0, 1). */
  next(): number;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface TransportRequest {
  readonly method: HttpMethod;
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
  /** True where the bytes were not valid UTF-8; those that could not be read are U+FFFD in the body. */
  readonly damaged?: boolean;
}

/** Sends single requests, without retries, pacing or redirects. */
export interface Transport {
  /** Throws a TransportError where no complete answer came. */
  send(request: TransportRequest, wanted?: CancelToken): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Cancels one request, as an AbortSignal does, at a fraction of its cost. */
export class CancelToken {
  #cancel: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  /** Cancels the request for this reason; a second call is ignored. */
  giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#cancel?.(this.#reason);
  }

  /** Calls the listener when the request is cancelled, at once if it already is; only the last listener is kept. */
  onCancelled(listener: (reason: Error) => void): void {
    if (this.#reason === undefined) this.#cancel = listener;
    else listener(this.#reason);
  }
}

/** The permission to send a request now. */
export interface SendPermit {
  /** Called right before each request is written; throws a FatalError if no request may be sent any more. */
  assertHeld(): void;
}

/** The error of a request without a complete answer. */
export class TransportError extends Error {
  /** True where the request may have reached the server; false only if it was certainly never sent. */
  readonly maybeSent: boolean;

  constructor(message: string, maybeSent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
    this.maybeSent = maybeSent;
  }
}

/**
 * A live workspace, read as an input. Every call throws a FatalError if the workspace gives no usable answer.
 */
export interface LiveWorkspace {
  /** Returns the names of its custom fields. */
  customFields(): Promise<readonly string[]>;
  users(): Promise<readonly User[]>;
  /** Yields the pages of the contact list from a cursor on, each with the cursor of the next. */
  contacts(
    cursor?: string,
  ): AsyncIterable<{ readonly items: readonly Contact[]; readonly next: string | null }>;
  /** Returns all messages of a contact, in any order; none if the contact was deleted meanwhile. */
  messages(contact: number): Promise<readonly Message[]>;
  close(): Promise<void>;
}

/** A local copy of a live workspace, begun by an earlier command. */
export interface ExistingWorkspaceCopy {
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The run that the copy is bound to; null if no run has been bound to it yet. */
  readonly run: string | null;
}

/** A live workspace as an input, with the rules of the run for its copies. */
export interface LiveWorkspaceInput {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  /** The text that distinguishes copies for one purpose from those for another. */
  readonly purpose: string;
  readonly clock: Clock;
  /** Opens the workspace; called only when there is something to read. */
  open(): Promise<LiveWorkspace>;
  /** Returns true if an existing copy is to be continued, and false if a new one is to be begun. */
  keeps(copy: ExistingWorkspaceCopy): boolean;
  /** Reports a sentence to the user. */
  tell(text: string): void;
}
