import { commandLine } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';
import { isSqliteError } from '../storage/sqlite.ts';
import type { JournalFile } from './open.ts';

type Write = () => void;

/** Another place in which a journal is durable, too, beside its file. */
export interface Shipping {
  /** Resolves when all that is committed so far is in the other place; rejects, for good, where it may not be. */
  ship(): Promise<void>;
}

/** The options of a group commit. */
export interface CommitOptions {
  /** How many intents may come to wait at once: where most of them do, the commit waits for no more. */
  readonly maxConcurrentIntents?: (() => number) | undefined;
  /** Where it is given, what is committed is durable only when it was shipped. */
  readonly shipping?: Shipping | undefined;
}

/** How long a write without a waiting intent may stay in memory before it is made durable. */
const lazyMs = 100;

/** How long an intent waits for others to share its commit: as many times as long as one takes lately, within these bounds. */
const gatherTimes = 10;
const leastGatherMs = 10;
const mostGatherMs = 40;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Many writes, one fsync: what gathers within some milliseconds is one transaction, and one shipment. */
export class GroupCommit {
  readonly #file: JournalFile;
  readonly #run: (writes: readonly Write[]) => void;
  #writes: Write[] = [];
  #waiting: Waiting[] = [];
  #immediate: NodeJS.Immediate | undefined;
  #gather: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #broken: FatalError | undefined;
  /** Where nothing is synced, no commit is worth a wait for other intents. */
  readonly #isCheap: boolean;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #maxConcurrentIntents: () => number;
  /** How long a commit takes lately (ms), with its shipment. */
  #commitMs = 0;
  readonly #shipping: Shipping | undefined;
  /** Committed here, and not shipped yet. */
  #unshipped: Waiting[] = [];
  #shipment: Promise<void> | undefined;
  /** Whether committed writes are in no shipment yet. */
  #wantsShipment = false;
  /** Whether waiting writes are to be committed once the current shipment has arrived. */
  #wantsCommit = false;

  constructor(
    file: JournalFile,
    clock: Pick<Clock, 'now'>,
    { maxConcurrentIntents = () => 64, shipping }: CommitOptions = {},
  ) {
    this.#file = file;
    this.#clock = clock;
    this.#maxConcurrentIntents = maxConcurrentIntents;
    this.#shipping = shipping;
    this.#isCheap = file.pragma('synchronous', { simple: true }) === 0;
    const transaction = file.transaction((writes: readonly Write[]) => {
      for (const write of writes) write();
    });
    this.#run = (writes) => transaction.immediate(writes);
  }

  /** Resolves when the write is durable. */
  durable(write: Write): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    this.#writes.push(write);
    const isEnough = this.#waiting.length >= this.#maxConcurrentIntents() * 0.75;
    if (this.#isCheap || isEnough) this.#immediate ??= setImmediate(() => this.#commitInTurn());
    else this.#gather ??= setTimeout(() => this.#commitInTurn(), this.#gatherMs());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #gatherMs(): number {
    return Math.min(mostGatherMs, Math.max(leastGatherMs, gatherTimes * this.#commitMs));
  }

  /** Becomes durable with the next commit, soon; a crash before loses it, and the next start finds out by reading. */
  soon(write: Write): void {
    if (this.#broken !== undefined) throw this.#broken;
    this.#writes.push(write);
    if (this.#writes.length >= 500) this.#immediate ??= setImmediate(() => this.flush());
    else this.#timer ??= setTimeout(() => this.flush(), lazyMs);
  }

  /** While a shipment is on its way, a commit could not leave: what comes until then shares one. */
  #commitInTurn(): void {
    if (this.#shipment === undefined) this.flush();
    else this.#wantsCommit = true;
  }

  /**
   * Commits everything that waits, now, so that readers of the journal find it, and begins to ship it. After a failed
   * commit nothing is written any more and everybody is told.
   */
  flush(): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#gather);
    clearTimeout(this.#timer);
    this.#immediate = undefined;
    this.#gather = undefined;
    this.#timer = undefined;
    this.#wantsCommit = false;
    const writes = this.#writes;
    const waiting = this.#waiting;
    this.#writes = [];
    this.#waiting = [];
    if (writes.length > 0 && this.#broken === undefined) {
      const begunAt = this.#clock.now();
      try {
        this.#run(writes);
        if (this.#shipping === undefined) this.#took(begunAt);
      } catch (error) {
        this.#broken = commitFailed(error, this.#file.name);
      }
    }
    if (this.#shipping === undefined || this.#broken !== undefined) this.#answer(waiting);
    else {
      this.#unshipped.push(...waiting);
      this.#beginShipment(this.#shipping);
    }
  }

  /** Resolves when everything is durable that was written so far; rejects with what broke the journal, if something did. */
  async settled(): Promise<void> {
    this.flush();
    while (this.#shipment !== undefined) await this.#shipment;
    this.check();
  }

  #beginShipment(shipping: Shipping): void {
    this.#wantsShipment = true;
    this.#shipment ??= this.#ship(shipping);
  }

  /** One shipment after the other, as long as there is something for one; never rejects. */
  async #ship(shipping: Shipping): Promise<void> {
    while (this.#wantsShipment) {
      this.#wantsShipment = false;
      const waiting = this.#unshipped;
      this.#unshipped = [];
      const begunAt = this.#clock.now();
      try {
        await shipping.ship();
        this.#took(begunAt);
      } catch (error) {
        this.#broken ??= shipmentFailed(error, this.#file.name);
      }
      this.#answer(waiting);
      if (this.#wantsCommit || this.#broken !== undefined) this.flush();
    }
    this.#shipment = undefined;
  }

  #answer(waiting: readonly Waiting[]): void {
    for (const { resolve, reject } of waiting) {
      if (this.#broken === undefined) resolve();
      else reject(this.#broken);
    }
  }

  #took(begunAt: number): void {
    this.#commitMs += (this.#clock.now() - begunAt - this.#commitMs) / 8;
  }

  /** Throws what broke the journal, if something did. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }
}

function commitFailed(error: unknown, path: string): FatalError {
  const detail = error instanceof Error ? error.message : String(error);
  const full = isSqliteError(error, 'SQLITE_FULL') || isSqliteError(error, 'SQLITE_IOERR');
  return new FatalError(
    'unexpected',
    `the journal could not be written (${detail}), so nothing more was sent.`,
    {
      place: { file: path },
      next: full ? `Free some disk space, then: ${commandLine(['resume'])}` : commandLine(['resume']),
      cause: error,
    },
  );
}

function shipmentFailed(error: unknown, path: string): FatalError {
  if (error instanceof FatalError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new FatalError(
    'unexpected',
    `the journal could not be copied to the database (${detail}), so nothing more was sent.`,
    { place: { file: path }, next: commandLine(['resume']), cause: error },
  );
}
