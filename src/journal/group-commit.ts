import { commandLine } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock } from '../model/ports.ts';
import { isSqliteError } from '../storage/sqlite.ts';
import type { JournalFile } from './open.ts';

type Write = () => void;

/** How long a write that nobody waits for may stay in memory before it is made durable. */
const lazyMs = 100;

/** How long an intent waits for others to share its fsync: as many times as long as one takes lately, within these bounds. */
const gatherTimes = 10;
const leastGatherMs = 10;
const mostGatherMs = 40;

/** Many writes, one fsync: what gathers within some milliseconds is one transaction. */
export class GroupCommit {
  readonly #file: JournalFile;
  readonly #run: (writes: readonly Write[]) => void;
  #writes: Write[] = [];
  #waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  #immediate: NodeJS.Immediate | undefined;
  #gather: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #broken: FatalError | undefined;
  /** Where nothing is synced, no commit is worth a wait for company. */
  readonly #isCheap: boolean;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #company: () => number;
  /** How long a commit takes lately (ms). */
  #commitMs = 0;

  /** `company` says how many intents may come to wait at once: where most of them do, nobody waits for more. */
  constructor(file: JournalFile, clock: Pick<Clock, 'now'>, company: () => number = () => 64) {
    this.#file = file;
    this.#clock = clock;
    this.#company = company;
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
    const isEnough = this.#waiting.length >= this.#company() * 0.75;
    if (this.#isCheap || isEnough) this.#immediate ??= setImmediate(() => this.flush());
    else this.#gather ??= setTimeout(() => this.flush(), this.#gatherMs());
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

  /** Commits everything that waits, now; after a failed commit nothing is written any more and everybody is told. */
  flush(): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#gather);
    clearTimeout(this.#timer);
    this.#immediate = undefined;
    this.#gather = undefined;
    this.#timer = undefined;
    const writes = this.#writes;
    const waiting = this.#waiting;
    this.#writes = [];
    this.#waiting = [];
    if (writes.length > 0 && this.#broken === undefined) {
      const begunAt = this.#clock.now();
      try {
        this.#run(writes);
        this.#commitMs += (this.#clock.now() - begunAt - this.#commitMs) / 8;
      } catch (error) {
        this.#broken = commitFailed(error, this.#file.name);
      }
    }
    for (const { resolve, reject } of waiting) {
      if (this.#broken === undefined) resolve();
      else reject(this.#broken);
    }
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
