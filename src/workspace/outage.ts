import { FatalError } from '../model/fatal-error.ts';
import type { Clock, Randomness } from '../model/ports.ts';
import { computeBackoffMs, formatWaitLength } from './waits.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

export interface OutageMonitorOptions {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  readonly outageMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Sends the smallest request; resolves with true where the workspace's answer shows that the outage is over. */
  readonly probe: () => Promise<boolean>;
  /** Ends all calls with this error, once the workspace has been silent for too long. */
  readonly giveUp: (error: FatalError) => void;
}

const pauseAfterMs = 60_000;
/** The longest time (ms) of the last probe before the run ends. */
const lastProbeMs = 10_000;

/**
 * Distinguishes an outage of the whole workspace from failures of single requests, and holds requests back during one.
 */
export class OutageMonitor {
  readonly #options: OutageMonitorOptions;
  /** The number of answers that came from the workspace itself, not counting 429. */
  answers = 0;
  /**
   * The send time (ms since 1970) of the first failed or limited (429) attempt since the last answer; undefined while
   * the workspace answers.
   */
  #silentSince: number | undefined;
  #lastMessage: string | undefined;
  #pause: Promise<void> | undefined;
  #probing: Promise<boolean> | undefined;
  #watched = false;

  constructor(options: OutageMonitorOptions) {
    this.#options = options;
  }

  /** True unless requests are held back. */
  get open(): boolean {
    return this.#pause === undefined;
  }

  /** The last failure since the workspace stopped answering; undefined while it answers. */
  get problem(): string | undefined {
    return this.#silentSince === undefined ? undefined : this.#lastMessage;
  }

  /** Returns the error of a run that has had no answer since that time (ms since 1970). */
  unheard(since: number): FatalError {
    return unreachable(this.#silenceOf(this.#options.clock.now() - since));
  }

  /** Resolves when no outage holds requests back; rejects with the signal's reason after a stop. */
  async pass(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
    this.#options.signal.throwIfAborted();
  }

  /** Records an answer of the workspace itself other than 429, which ends a silence. */
  answered(): void {
    this.answers += 1;
    this.#silentSince = undefined;
  }

  /** Records that an attempt sent at that time (ms since 1970) was refused with 429. */
  limited(sentAt: number): void {
    this.#note(sentAt, '429, too many requests');
  }

  /**
   * Records that the workspace did not answer an attempt sent at that time (ms since 1970). After a minute of silence
   * (or `outageMs` if that is shorter), all requests are held back.
   */
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

  /** Ends the run because the workspace has not answered once within that time (ms). */
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

  /** Starts the timer that ends the run after `outageMs` of silence, unless it runs already. */
  #watch(): void {
    if (this.#watched) return;
    this.#watched = true;
    this.#untilTooLong().catch((cause: unknown) => {
      // After a stop, the signal itself ends the waiting calls.
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
    return `The workspace could not be reached for ${formatWaitLength(ms)}. Last seen: ${last}.`;
  }

  /** Probes with a backoff until the workspace answers or the run is stopped. */
  async #untilAnswered(since: number): Promise<void> {
    const { clock, outageMs, onEvent, randomness, signal } = this.#options;
    const before = this.answers;
    const message = this.#lastMessage ?? '';
    // The silence may have lasted longer than `outageMs` already: then the run ends only after the last probe.
    const until = Math.max(since + outageMs, clock.now() + lastProbeMs);
    onEvent({ kind: 'paused', silentMs: clock.now() - since, message, until });
    for (let tries = 0; !signal.aborted; tries += 1) {
      if ((await this.#asked()) || this.answers !== before) {
        onEvent({ kind: 'resumed', silentMs: clock.now() - since });
        return;
      }
      await settled(clock.sleep(computeBackoffMs(tries + 1, randomness), signal));
    }
  }

  async #asked(): Promise<boolean> {
    try {
      return await this.ask();
    } catch (error) {
      // A stop rejects the probe; the loop then ends, because the signal is aborted.
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
