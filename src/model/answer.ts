/**
 * The result of a request to the workspace, after the client's own retries. Problems of a single row are among these
 * values; an error that must stop the run (the token refused, the workspace out of reach) is thrown as a FatalError.
 */
export type WorkspaceAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly flaws?: readonly AnswerFlaw[] }
  /** 404: not there, or not there yet. */
  | { readonly kind: 'absent'; readonly message: string }
  /** 449: nothing was done; the request is to be sent again later. */
  | { readonly kind: 'queued'; readonly message: string }
  /** A redirect, 400, 403 or another 4xx: certainly not applied. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /**
   * The answer is lost, and the request must not be sent again blindly: it may or may not have been applied. `misfit` is
   * set where the workspace has answered with a body that does not fit this interface.
   */
  | { readonly kind: 'unknown'; readonly message: string; readonly misfit?: true };

/** A defect in a part of an answer that could be read all the same. */
export interface AnswerFlaw {
  /** The index of the item on a page; undefined where the defect is not in an item. */
  readonly item: number | undefined;
  /** A clause: `it is not valid UTF-8`. */
  readonly reason: string;
}
