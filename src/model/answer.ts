/**
 * What a request to the workspace came to, after the client's own retries. Trouble of a single row is one of these
 * values; what must stop the run (the token refused, the workspace out of reach) is thrown as a FatalError.
 */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly value: T }
  /** 404: not there, or not there yet. */
  | { readonly kind: 'absent'; readonly message: string }
  /** 449: nothing was done; ask again later, off the hot path. */
  | { readonly kind: 'queued'; readonly message: string }
  /** 400, 403 or another 4xx: surely not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** The answer is lost: a request that must not be sent blindly again may or may not have been applied. */
  | { readonly kind: 'unknown'; readonly message: string };
