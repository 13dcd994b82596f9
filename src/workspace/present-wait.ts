import type { WorkspaceEvent } from './workspace-event.ts';

/** What nothing moves for just now. */
export interface Wait {
  readonly kind: 'waiting' | 'paused';
  readonly reason: string;
  /** Until then (ms since 1970), unless it ends before. */
  readonly until: number;
}

/** Remembers what is waited for, for whoever asks while it lasts. */
export class PresentWait {
  #wait: Wait | undefined;
  #okBefore = 0;

  /** Takes what the client says; `ok` is how many requests were answered well so far. */
  take(event: WorkspaceEvent, ok: number): void {
    if (event.kind === 'resumed') this.#wait = undefined;
    else if (event.kind !== 'warning') {
      const reason = event.kind === 'paused' ? event.message : event.reason;
      this.#wait = { kind: event.kind, reason, until: event.until };
      this.#okBefore = ok;
    }
  }

  /** A pause lasts until it is said to be over; any other wait is over with the first good answer. */
  at(now: number, ok: number): Wait | undefined {
    const wait = this.#wait;
    if (wait === undefined || now >= wait.until) return undefined;
    return wait.kind === 'paused' || ok === this.#okBefore ? wait : undefined;
  }
}
