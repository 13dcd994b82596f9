/**
 * What a request to the workspace came to, after the client's own retries. Trouble of a single row is one of these
 * values; what must stop the run (the token refused, the workspace out of reach) is thrown as a FatalError.
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly flaws?: readonly Flaw[] }
  /** 404: not there, or not there yet. */
  | { readonly kind: 'absent'; readonly message: string }
  /** 449: nothing was done; ask again later, off the hot path. */
  | { readonly kind: 'queued'; readonly message: string }
  /** 400, 403 or another 4xx: surely not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** The answer is lost: a request that must not be sent blindly again may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly message: string };

/** What is wrong with a part of an answer that could be read all the same. */
export interface Flaw {
  /** Which item of a page; undefined where it is not in an item. */
  readonly item: number | undefined;
  /** A clause: `it is not valid UTF-8`. */
  readonly reason: string;
}
