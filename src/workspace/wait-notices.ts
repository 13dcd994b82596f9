import type { Clock } from '../model/ports.ts';
import type { WorkspaceEvent } from './workspace-event.ts';

/** Shorter waits are not reported. */
const worthSayingMs = 10_000;
/** The silence (ms) after which a workspace that has never answered is reported. */
const firstSilenceMs = 2_000;
const muchLaterMs = 60_000;
/** The longest pause (ms) before a queued request is sent again. */
const queuedMs = 60_000;

export interface WaitReporterOptions {
  /** The name of the workspace in messages: its base URL. */
  readonly name: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Returns the reason why no request gets through; undefined while requests do. */
  readonly problem: () => string | undefined;
  /** The silence (ms) of the workspace after which the run ends. */
  readonly outageMs: number;
  /** The time (ms) without any answer after which `noFirstAnswer` is called, once. */
  readonly connectMs: number;
  readonly noFirstAnswer: () => 'given up' | 'still waiting';
}

/**
 * Reports waits while calls are open: a known wait of more than ten seconds at once, and a silence after ten seconds,
 * or after at most two if the workspace has never answered.
 */
export class WaitReporter {
  readonly #options: WaitReporterOptions;
  #calls = 0;
  #answered = false;
  #lateSaid = false;
  #quietSince: number | undefined;
  /** True once the present silence was reported. */
  #silenceSaid = false;
  #queuedSince: number | undefined;
  #saidUntil = Number.NEGATIVE_INFINITY;
  #watching = false;

  constructor(options: WaitReporterOptions) {
    this.#options = options;
  }

  /** Records that a call begins. */
  begin(): void {
    this.#calls += 1;
    if (this.#calls > 1) return;
    // Until the first answer, silence is measured from the first call, even if calls have ended since.
    if (this.#answered) this.#hear();
    this.#quietSince ??= this.#options.clock.now();
    if (this.#watching) return;
    this.#watching = true;
    this.#watch().catch((error: unknown) => {
      if (!this.#options.signal.aborted) throw error;
    });
  }

  /** Records that a call has ended. */
  end(): void {
    this.#calls -= 1;
  }

  /** Records that the workspace has answered an open call. */
  answered(): void {
    this.#answered = true;
    this.#hear();
    this.#queuedSince = undefined;
  }

  /** Records a 449, and reports it where no other answer has come for ten seconds. */
  queued(): void {
    const now = this.#options.clock.now();
    this.#answered = true;
    this.#hear();
    this.#queuedSince ??= now;
    if (now - this.#queuedSince < worthSayingMs) return;
    this.#say('the workspace only answers 449 (queued)', now + queuedMs);
  }

  /** Reports a wait of known length (ms) that begins, if it is longer than ten seconds. */
  wait(ms: number, reason: string): void {
    if (ms > worthSayingMs) this.#say(reason, this.#options.clock.now() + ms);
  }

  #hear(): void {
    this.#quietSince = this.#options.clock.now();
    if (this.#silenceSaid) this.#saidUntil = Number.NEGATIVE_INFINITY;
    this.#silenceSaid = false;
  }

  async #watch(): Promise<void> {
    const { clock, signal } = this.#options;
    try {
      while (this.#calls > 0) {
        await clock.sleep(this.#nextLook() - clock.now(), signal, 'upkeep');
        if (this.#calls > 0) this.#look();
      }
    } finally {
      this.#watching = false;
    }
  }

  #nextLook(): number {
    const { clock, connectMs } = this.#options;
    const now = clock.now();
    const since = this.#quietSince ?? now;
    const looks = this.#answered
      ? [since + worthSayingMs]
      : [since + Math.min(firstSilenceMs, connectMs / 2), since + connectMs];
    return looks.find((at) => at > now) ?? now + worthSayingMs;
  }

  #look(): void {
    const { clock, connectMs, outageMs, name, noFirstAnswer } = this.#options;
    const now = clock.now();
    const since = this.#quietSince ?? now;
    if (this.#answered || now - since < connectMs) {
      const isQuiet = !this.#answered || now - since >= worthSayingMs;
      if (isQuiet && !this.#silenceSaid) {
        this.#silenceSaid = true;
        this.#say(this.#why(), since + (this.#answered ? outageMs : connectMs));
      }
      return;
    }
    if (this.#lateSaid) return;
    this.#lateSaid = true;
    if (noFirstAnswer() === 'given up') return;
    const { problem } = this.#options;
    const why = problem() === undefined ? '' : ` (${problem()})`;
    this.#say(`${name} does not answer${why}`, since + outageMs);
  }

  #why(): string {
    const { name, problem } = this.#options;
    const why = problem();
    return why === undefined ? `no answer from ${name} yet` : `${name} accepts no requests (${why})`;
  }

  #say(reason: string, until: number): void {
    const { clock, onEvent } = this.#options;
    // A wait that is over need not be reported.
    if (until <= clock.now()) return;
    // Many requests wait at the same time: while a reported wait lasts, only one that ends much later is
    // reported.
    if (clock.now() < this.#saidUntil && until <= this.#saidUntil + muchLaterMs) return;
    this.#saidUntil = until;
    onEvent({ kind: 'waiting', reason, until });
  }
}

/**
 * A wait of all requests: `waiting` because the workspace asked for it or is silent, `paused` during an
 * outage.
 */
export interface WorkspaceWait {
  readonly kind: 'waiting' | 'paused';
  readonly reason: string;
  /** The time (ms since 1970) when it ends at the latest. */
  readonly until: number;
}

/** Follows the client's events to know the wait that holds back all requests at present. */
export class CurrentWaitTracker {
  #wait: WorkspaceWait | undefined;
  #okBefore = 0;

  /** Updates the wait by an event of the client; `ok` is the number of requests answered 2xx so far. */
  take(event: WorkspaceEvent, ok: number): void {
    if (event.kind === 'resumed') this.#wait = undefined;
    else if (event.kind !== 'warning') {
      const reason = event.kind === 'paused' ? event.message : event.reason;
      this.#wait = { kind: event.kind, reason, until: event.until };
      this.#okBefore = ok;
    }
  }

  /**
   * Returns the wait at `now` (ms); undefined if there is none. A pause ends when it is reported over, any other wait
   * with the first 2xx, and both at `until` at the latest.
   */
  at(now: number, ok: number): WorkspaceWait | undefined {
    const wait = this.#wait;
    if (wait === undefined || now >= wait.until) return undefined;
    return wait.kind === 'paused' || ok === this.#okBefore ? wait : undefined;
  }
}
