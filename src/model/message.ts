/**
 * A message of a contact as the interface returns it (specification: Message), with its property names; others are
 * kept.
 */
export interface Message {
  readonly messageId: number;
  readonly channelId: number;
  /** `incoming` or `outgoing`. */
  readonly traffic: string;
  /** Variants other than text are not in the specification: they are kept unchanged. */
  readonly message?:
    | { readonly type?: string | null | undefined; readonly text?: string | null | undefined }
    | null
    | undefined;
  readonly status: readonly {
    readonly value: string;
    /** Unix seconds. */
    readonly timestamp?: number | null | undefined;
    /** The reason of a failed delivery. */
    readonly message?: string | null | undefined;
  }[];
  readonly sender?:
    | { readonly source?: string | null | undefined; readonly userId?: unknown }
    | null
    | undefined;
}

/**
 * Returns the time of a message's earliest status (whole Unix seconds), because a message has no time of its own; null if
 * no status has a time that is a safe integer.
 */
export function getMessageTimestamp({ status }: Pick<Message, 'status'>): number | null {
  let earliest: number | null = null;
  for (const { timestamp } of status) {
    const at = Math.floor(timestamp ?? Number.NaN);
    if (Number.isSafeInteger(at) && (earliest === null || at < earliest)) earliest = at;
  }
  return earliest;
}
