import { FatalError } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import { backoffMs, lengthOf } from './waits.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

export interface OutageOptions {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  readonly outageMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Sends the smallest request; true where the workspace has answered it well enough to continue. */
  readonly probe: () => Promise<boolean>;
  /** Ends all calls that wait: the workspace has been silent for too long. */
  readonly giveUp: (error: FatalError) => void;
}

const pauseAfterMs = 60_000;
/** How long the last probe may take before the workspace is given up. */
const lastProbeMs = 10_000;

/** Tells an outage of the whole workspace from failures of one request, and holds all requests back while it lasts. */
export class Outage {
  readonly #options: OutageOptions;
  /** Answers of the workspace so far: two equal readings mean that none came in between. */
  answers = 0;
  /** When the first of the attempts was sent that failed since the workspace last answered. */
  #silentSince: number | undefined;
  #lastMessage: string | undefined;
  #pause: Promise<void> | undefined;
  #probing: Promise<boolean> | undefined;
  #watched = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Whether a request may leave now. */
  get open(): boolean {
    return this.#pause === undefined;
  }

  /** Why no request gets through, as far as it is known; undefined while requests do. */
  get problem(): string | undefined {
    return this.#silentSince === undefined ? undefined : this.#lastMessage;
  }

  /** Returns the error of a run that has had no answer since then, whatever stopped it. */
  unheard(since: number): FatalError {
    return unreachable(this.#silenceOf(this.#options.clock.now() - since));
  }

  /** Waits while the workspace is out of reach. */
  async pass(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
    this.#options.signal.throwIfAborted();
  }

  /** The workspace answered something below 500 that is no 429. */
  answered(): void {
    this.answers += 1;
    this.#silentSince = undefined;
  }

  /** An attempt sent at that time was refused with 429: the workspace is there, and still no request gets through. */
  limited(sentAt: number): void {
    this.#note(sentAt, '429, too many requests');
  }

  /** An attempt sent at that time got no answer of the workspace. */
  failed(sentAt: number, message: string): void {
    const since = this.#note(sentAt, message);
    if (this.open && this.#options.clock.now() - since >= Math.min(pauseAfterMs, this.#options.outageMs)) {
      this.#pause = this.#untilAnswered(since).finally(() => {
        this.#pause = undefined;
      });
    }
  }

  /** Probes whether the workspace answers now; calls at the same time share one probe. */
  async ask(): Promise<boolean> {
    this.#probing ??= this.#options.probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** Gives up where the workspace has not answered once. */
  neverAnswered(withinMs: number): void {
    const last = this.#lastMessage === undefined ? '' : ` (${this.#lastMessage})`;
    const message = `${this.#options.name} does not answer: no response within ${withinMs / 1_000} s${last}.`;
    this.#options.giveUp(unreachable(message));
  }

  #note(sentAt: number, message: string): number {
    this.#silentSince ??= sentAt;
    this.#lastMessage = message;
    this.#watch();
    return this.#silentSince;
  }

  /** Keeps one timer, which starts over where the workspace has answered meanwhile. */
  #watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    this.#untilTooLong().catch((cause: unknown) => {
      // At a stop the signal ends the calls that wait.
      if (this.#options.signal.aborted) return;
      this.#options.giveUp(
        new FatalError('unexpected', `The request could not be sent: ${cause}`, { cause }),
      );
    });
  }

  async #untilTooLong(): Promise<void> {
    const { clock, outageMs, signal } = this.#options;
    try {
      for (let since = this.#silentSince; since !== undefined; since = this.#silentSince) {
        await clock.sleep(Math.max(0, since + outageMs - clock.now()), signal);
        if (this.#silentSince !== since) continue;
        // A long Retry-After may have kept every request back: probe before giving up.
        const enough = clock.sleep(lastProbeMs, signal).then(() => false);
        const answered = await Promise.race([this.ask(), enough]);
        if (answered || this.#silentSince !== since) continue;
        this.#options.giveUp(unreachable(this.#silenceOf(clock.now() - since)));
        return;
      }
    } finally {
      this.#watched = false;
    }
  }

  #silenceOf(ms: number): string {
    const last = this.#lastMessage ?? 'nothing';
    return `The workspace could not be reached for ${lengthOf(ms)}. Last seen: ${last}.`;
  }

  /** Never rejects: calls that wait look at the state afterwards. */
  async #untilAnswered(since: number): Promise<void> {
    const { clock, outageMs, onEvent, randomness, signal } = this.#options;
    const before = this.answers;
    const message = this.#lastMessage ?? '';
    // The first failure may be older than an outage may last: then the last question is being asked now.
    const until = Math.max(since + outageMs, clock.now() + lastProbeMs);
    onEvent({ kind: 'paused', silentMs: clock.now() - since, message, until });
    for (let tries = 0; !signal.aborted; tries += 1) {
      if ((await this.#asked()) || this.answers !== before) {
        onEvent({ kind: 'resumed', silentMs: clock.now() - since });
        return;
      }
      await settled(clock.sleep(backoffMs(tries + 1, randomness), signal));
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

function unreachable(message: string): FatalError {
  return new FatalError('unreachable', message, { next: 'Check the network and the base URL.' });
}
