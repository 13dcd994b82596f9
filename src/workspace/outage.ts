import { FatalError } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import { backoffMs } from './backoff.ts';

/** What a progress display may want to know of the client. */
export type WorkspaceEvent =
  /** Nothing has got through for a minute: no request leaves until a probe passes. */
  | { readonly kind: 'paused'; readonly silentMs: number; readonly message: string }
  /** A probe passed. */
  | { readonly kind: 'resumed'; readonly silentMs: number };

export interface OutageOptions {
  readonly outageMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Asks the workspace for the least it can say; true where it answered below 500. */
  readonly probe: () => Promise<boolean>;
}

const pauseAfterMs = 60_000;

/** Tells trouble of the whole workspace from trouble of one request, and holds everything back while it lasts. */
export class Outage {
  readonly #options: OutageOptions;
  /** Grows with every answer of the workspace: two equal readings mean that it said nothing in between. */
  answers = 0;
  /** When the first of the attempts was sent that failed since the workspace last answered. */
  #silentSince: number | undefined;
  #lastMessage = '';
  #pause: Promise<void> | undefined;
  #probing: Promise<boolean> | undefined;
  #over: FatalError | undefined;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Whether a request may leave now. */
  get open(): boolean {
    return this.#pause === undefined && this.#over === undefined;
  }

  /** Waits while the workspace is out of reach; throws a FatalError 'unreachable' once that has lasted too long. */
  async pass(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
    if (this.#over !== undefined) throw this.#over;
    this.#options.signal.throwIfAborted();
  }

  /** The workspace answered something below 500. */
  answered(): void {
    this.answers += 1;
    this.#silentSince = undefined;
  }

  /** An attempt sent at that time got no answer of the workspace. */
  failed(sentAt: number, message: string): void {
    this.#silentSince ??= sentAt;
    this.#lastMessage = message;
    if (
      this.open &&
      this.#options.clock.now() - this.#silentSince >= Math.min(pauseAfterMs, this.#options.outageMs)
    ) {
      this.#pause = this.#untilAnswered(this.#silentSince).finally(() => {
        this.#pause = undefined;
      });
    }
  }

  /** Whether the workspace answers at all just now; asked once for all who want to know. */
  async ask(): Promise<boolean> {
    this.#probing ??= this.#options.probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** Never rejects: whoever waits looks at the state afterwards. */
  async #untilAnswered(since: number): Promise<void> {
    const { clock, outageMs, onEvent, randomness, signal } = this.#options;
    const before = this.answers;
    onEvent({ kind: 'paused', silentMs: clock.now() - since, message: this.#lastMessage });
    for (let tries = 0; !signal.aborted; tries += 1) {
      if ((await this.#asked()) || this.answers !== before) {
        onEvent({ kind: 'resumed', silentMs: clock.now() - since });
        return;
      }
      const left = since + outageMs - clock.now();
      if (left <= 0) {
        this.#over = unreachable(clock.now() - since, this.#lastMessage);
        return;
      }
      await settled(clock.sleep(Math.min(left, backoffMs(tries + 1, randomness)), signal));
    }
  }

  async #asked(): Promise<boolean> {
    try {
      return await this.ask();
    } catch (error) {
      // Only a stop rejects here; the loop sees it by the signal.
      if (this.#options.signal.aborted) return false;
      throw error;
    }
  }
}

async function settled(promise: Promise<void>): Promise<void> {
  await Promise.allSettled([promise]);
}

function unreachable(silentMs: number, message: string): FatalError {
  const seconds = Math.round(silentMs / 1_000);
  const minutes = Math.round(silentMs / 60_000);
  const lasted = seconds < 90 ? `${seconds} s` : `${minutes} minutes`;
  return new FatalError(
    'unreachable',
    `The workspace could not be reached for ${lasted}. Last seen: ${message}.`,
    { next: 'Check the network and the base URL.' },
  );
}
