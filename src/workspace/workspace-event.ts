/** An event of the client that is shown to the user. */
export type WorkspaceEvent =
  /** The workspace is silent, or has asked for a wait; `until` (ms since 1970) is its latest end. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: number }
  /**
   * No request was answered for a minute: only probes are sent until one is answered. If none is answered, the run
   * ends at `until`.
   */
  | {
      readonly kind: 'paused';
      readonly silentMs: number;
      readonly message: string;
      readonly until: number;
    }
  /** The workspace answers again after a pause, and requests are sent again. */
  | { readonly kind: 'resumed'; readonly silentMs: number }
  /** A damaged answer was accepted; the text is a sentence. */
  | { readonly kind: 'warning'; readonly text: string };
