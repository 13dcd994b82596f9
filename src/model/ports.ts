import type { Contact } from './contact.ts';
import type { Message } from './message.ts';
import type { User } from './user.ts';

/** Time, handed in so that a test or a simulation can hold it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves after `ms`; rejects with the signal's reason when it is aborted before. Nothing waits for `upkeep`: a clock that
   * jumps over waits does not jump for it.
   */
  sleep(ms: number, signal?: AbortSignal, purpose?: 'upkeep'): Promise<void>;
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
  /** The bytes were not valid UTF-8: each that could not be read is U+FFFD in the body. */
  readonly damaged?: boolean;
}

/** One request out, one answer back; no retries, no pacing, no redirects. */
export interface Transport {
  /** Throws a TransportError where no whole answer came. */
  send(request: TransportRequest, wanted?: CancelToken): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Whether an answer is still wanted: what an AbortSignal says, at a small part of its price for each request. */
export class CancelToken {
  #cancel: ((reason: Error) => void) | undefined;
  #reason: Error | undefined;

  /** Says that the answer is not wanted any more. */
  giveUp(reason: Error): void {
    this.#reason ??= reason;
    this.#cancel?.(this.#reason);
  }

  /** Calls back once the answer is not wanted any more, at once where that is so already; for one listener. */
  onCancelled(listener: (reason: Error) => void): void {
    if (this.#reason === undefined) this.#cancel = listener;
    else listener(this.#reason);
  }
}

/** Whether a request may leave now. */
export interface SendPermit {
  /** Asked right before each request is written; throws a FatalError where none may leave any more. */
  assertHeld(): void;
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

/** What an input reads of a live workspace. Every call throws a FatalError where the workspace gives no answer to use. */
export interface LiveWorkspace {
  /** The names of its custom fields. */
  customFields(): Promise<readonly string[]>;
  users(): Promise<readonly User[]>;
  /** The pages of the contact list from a cursor on, each with the cursor of the one behind it. */
  contacts(
    cursor?: string,
  ): AsyncIterable<{ readonly items: readonly Contact[]; readonly next: string | null }>;
  /** All messages of a contact, in whatever order; none where the contact is gone meanwhile. */
  messages(contact: number): Promise<readonly Message[]>;
  close(): Promise<void>;
}

/** A copy of a live workspace, as it was begun earlier. */
export interface EarlierCopy {
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The run that was bound to it; null where none has been yet. */
  readonly run: string | null;
}

/** A live workspace as an input, and what the run that reads it says of copies. */
export interface LiveInput {
  /** What people call it: its base URL. */
  readonly name: string;
  /** What tells copies for one purpose from those for another. */
  readonly purpose: string;
  readonly clock: Clock;
  /** Called only when there is something to read. */
  open(): Promise<LiveWorkspace>;
  /** Whether a copy that was begun earlier is the one to go on with. */
  keeps(copy: EarlierCopy): boolean;
  /** Says a sentence to people. */
  tell(text: string): void;
}
