/** An event of the client that is shown to the user. */
export type WorkspaceEvent =
  /** The workspace is silent, or has asked for a wait: until then (ms since 1970), unless it ends before. */
  | { readonly kind: 'waiting'; readonly reason: string; readonly until: number }
  /** No request has got through for a minute: none leaves until a probe passes, or until then the run stops. */
  | {
      readonly kind: 'paused';
      readonly silentMs: number;
      readonly message: string;
      readonly until: number;
    }
  /** A probe passed. */
  | { readonly kind: 'resumed'; readonly silentMs: number }
  /** A damaged answer was accepted; the text is a sentence. */
  | { readonly kind: 'warning'; readonly text: string };
