import { hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';
import { isSqliteError } from '../storage/sqlite.ts';
import type { JournalDatabase } from './open.ts';

type Write = () => void;

/** Another place where a journal is stored durably, in addition to its file. */
export interface CommitShipper {
  /**
   * Resolves when everything committed so far is stored there. Rejects if that is uncertain, and then on every later
   * call.
   */
  ship(): Promise<void>;
}

/** The options of a group commit. */
export interface GroupCommitOptions {
  /**
   * The most intents that can wait at the same time; a commit starts without delay when three quarters of this number
   * wait.
   */
  readonly maxConcurrentIntents?: (() => number) | undefined;
  /** If given, a commit is durable only after it was shipped. */
  readonly shipping?: CommitShipper | undefined;
}

/** The longest time that a write without a waiting intent stays in memory before it is made durable. */
const lazyMs = 100;

/**
 * How long an intent waits for others to share its commit: this multiple of a recent commit's duration, within these
 * bounds.
 */
const gatherTimes = 20;
const leastGatherMs = 20;
const mostGatherMs = 40;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Commits many writes with one fsync: the writes of some milliseconds form one transaction and one shipment. */
export class GroupCommit {
  readonly #file: JournalDatabase;
  readonly #run: (writes: readonly Write[]) => void;
  #writes: Write[] = [];
  #waiting: Waiting[] = [];
  #immediate: NodeJS.Immediate | undefined;
  #cancelGather: (() => void) | undefined;
  #cancelLazy: (() => void) | undefined;
  #broken: FatalError | undefined;
  /** True if commits are not synced to the disk and are therefore too cheap to wait for other intents. */
  readonly #isCheap: boolean;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #maxConcurrentIntents: () => number;
  /** The recent duration of a commit (ms), with its shipment. */
  #commitMs = 0;
  readonly #shipping: CommitShipper | undefined;
  /** Writes committed here and not shipped yet. */
  #unshipped: Waiting[] = [];
  #shipment: Promise<void> | undefined;
  /** True while committed writes are in no shipment yet. */
  #wantsShipment = false;
  /** True while waiting writes must be committed once the current shipment has arrived. */
  #wantsCommit = false;

  constructor(
    file: JournalDatabase,
    clock: Pick<Clock, 'now' | 'after'>,
    { maxConcurrentIntents = () => 64, shipping }: GroupCommitOptions = {},
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
    const isEnough = this.#waiting.length + 1 >= this.#maxConcurrentIntents() * 0.75;
    if (this.#isCheap || isEnough) this.#immediate ??= setImmediate(() => this.#commitInTurn());
    else this.#cancelGather ??= this.#after(this.#gatherMs(), () => this.#commitInTurn());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #after(ms: number, fire: () => void): () => void {
    if (this.#clock.after !== undefined) return this.#clock.after(ms, fire);
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  }

  #gatherMs(): number {
    return Math.min(mostGatherMs, Math.max(leastGatherMs, gatherTimes * this.#commitMs));
  }

  /**
   * Adds a write to the next commit, within 100 ms; a crash before that loses it, and the next session must settle it.
   */
  soon(write: Write): void {
    if (this.#broken !== undefined) throw this.#broken;
    this.#writes.push(write);
    if (this.#writes.length >= 500) this.#immediate ??= setImmediate(() => this.flush());
    else this.#cancelLazy ??= this.#after(lazyMs, () => this.flush());
  }

  /**
   * Commits now. If a shipment is under way, commits when it has arrived, so that all writes made meanwhile share one
   * commit.
   */
  #commitInTurn(): void {
    if (this.#shipment === undefined) this.flush();
    else this.#wantsCommit = true;
  }

  /**
   * Commits all waiting writes now, so that readers of the journal see them, and begins to ship them. After a failed
   * commit nothing is written any more, and every waiting write rejects.
   */
  flush(): void {
    clearImmediate(this.#immediate);
    this.#cancelGather?.();
    this.#cancelLazy?.();
    this.#immediate = undefined;
    this.#cancelGather = undefined;
    this.#cancelLazy = undefined;
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

  /** Resolves when all writes so far are durable; rejects with the error that broke the journal, if there is one. */
  async settled(): Promise<void> {
    this.flush();
    while (this.#shipment !== undefined) await this.#shipment;
    this.check();
  }

  #beginShipment(shipping: CommitShipper): void {
    this.#wantsShipment = true;
    this.#shipment ??= this.#ship(shipping);
  }

  /** Ships until no committed write is unshipped; never rejects. */
  async #ship(shipping: CommitShipper): Promise<void> {
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

  /** Throws the error that broke the journal, if there is one. */
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
      next: full ? hint`Free some disk space, then: ${toCommand('resume')}` : [toCommand('resume')],
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
    { place: { file: path }, next: [toCommand('resume')], cause: error },
  );
}
