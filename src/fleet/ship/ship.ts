import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { journalPath, type Shipping } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import type { FleetKey } from '../crypt/key.ts';
import { seal } from '../crypt/seal.ts';
import { isLocalNewer } from './compare.ts';
import type { DatabaseAccess } from './fenced.ts';
import { LocalJournal, reachesMark } from './local-journal.ts';
import { type LogChanges, logBeginning, packPages } from './log.ts';
import { restoreJournal } from './restore.ts';
import {
  assertNothingSaved,
  basePlace,
  type Chunk,
  findShipped,
  nextGeneration,
  partBytes,
  type ShippedJournal,
  type ShippingHolder,
  sealEnd,
  sealFrames,
  sendBasePart,
  sendFirstFrames,
  sendFrames,
} from './shipped.ts';

/** Limits on the stored parts of a journal. */
export interface ShipBounds {
  /** Frames of the local log after which it is restarted. */
  readonly logFrames: number;
  /** A new base is made once what was committed since the last one is larger than this many times the base … */
  readonly timesBase: number;
  /** … and than this many bytes. */
  readonly leastBytes: number;
  /** Bytes of changes after which a new base is cheaper to hold in memory than they are. */
  readonly mostAtOnce: number;
}

export const usualBounds: ShipBounds = {
  logFrames: 8_000,
  timesBase: 3,
  leastBytes: 8 * 1024 * 1024,
  mostAtOnce: 64 * 1024 * 1024,
};

export interface ShipOptions extends ShippingHolder {
  readonly key: FleetKey;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The lease: what is not shipped when it is over is not shipped. */
  readonly signal: AbortSignal;
  readonly bounds?: ShipBounds;
}

/** The journal of a work dir, shipped to the database. */
export interface JournalShipping extends Shipping {
  /**
   * Where the journal was from when it was opened: this machine, this machine because its journal is newer, the database, or
   * nowhere yet.
   */
  readonly from: 'local' | 'newer' | 'restored' | 'new';
  /** Chunks of frames and parts of bases that were sent, and their bytes. */
  readonly sent: Readonly<Record<'chunks' | 'parts' | 'bytes', number>>;
  /** Ships all of it as a new base, and removes everything that was shipped before. */
  startOver(): Promise<void>;
  /** Waits for what is on its way; to be called when this process has closed the journal. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a work dir to be shipped: this machine's where it has everything that was shipped, otherwise the
 * one from the database in its place. To be called under the lease, before the journal is opened. Throws a FatalError
 * where the database was set back, and both have what the other has not.
 */
export async function openShipping(
  pool: Pool,
  workDir: string,
  options: ShipOptions,
): Promise<JournalShipping> {
  const { workspace, key, clock, signal } = options;
  const access = { pool, clock, signal };
  const shipped = await findShipped(access, workspace, key);
  if (shipped === undefined) {
    // Where this machine has a journal, that is what is saved next.
    if (!existsSync(journalPath(workDir))) await assertNothingSaved(access, workspace);
    return new JournalShipper('new', access, workDir, options, undefined);
  }
  const { missing } = shipped;
  if (missing === undefined) {
    if (reachesMark(workDir, shipped.mark))
      return new JournalShipper('local', access, workDir, options, shipped);
  } else if (missing !== 'unknown' && reachesMark(workDir, missing))
    return new JournalShipper('newer', access, workDir, options, undefined);
  const keep = (made: string) => isLocalNewer(workDir, workspace, made);
  if (!(await restoreJournal(pool, workspace, workDir, key, keep)))
    return new JournalShipper('newer', access, workDir, options, undefined);
  const restored = { ...shipped, mark: logBeginning };
  return new JournalShipper('restored', access, workDir, options, restored);
}

/**
 * Does work on the journal of a work dir that removes something from it for good, as forgetting a person does, and removes
 * what was shipped of it before. Where it throws, or the process dies meanwhile, the database may still have what was
 * removed: then it has to be done again.
 */
export async function removingShipped<T>(
  pool: Pool,
  workDir: string,
  options: ShipOptions,
  work: () => Promise<T>,
): Promise<T> {
  const before = await openShipping(pool, workDir, options);
  await before.close();
  const done = await work();
  // A new base: the shipped frames still have what was removed.
  const after = new JournalShipper('local', { pool, ...options }, workDir, options, undefined);
  try {
    await after.startOver();
  } finally {
    await after.close();
  }
  return done;
}

class JournalShipper implements JournalShipping {
  readonly from: JournalShipping['from'];
  readonly sent = { chunks: 0, parts: 0, bytes: 0 };
  readonly #access: DatabaseAccess;
  readonly #options: ShipOptions;
  readonly #bounds: ShipBounds;
  readonly #local: LocalJournal;
  #shipped: ShippedJournal | undefined;
  /** Frames of the log at the last attempt to restart it. */
  #triedAt = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    from: JournalShipping['from'],
    access: DatabaseAccess,
    workDir: string,
    options: ShipOptions,
    shipped: ShippedJournal | undefined,
  ) {
    this.from = from;
    this.#access = access;
    this.#options = options;
    this.#bounds = options.bounds ?? usualBounds;
    this.#shipped = shipped;
    this.#local = new LocalJournal(workDir);
  }

  ship(): Promise<void> {
    return this.#next(() => this.#shipNew());
  }

  startOver(): Promise<void> {
    return this.#next(() => this.#newBase());
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    this.#local.close();
  }

  /** One after the other; what failed once fails for good. */
  #next(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work);
    this.#last = next;
    // Callers get the rejection.
    next.catch(() => undefined);
    return next;
  }

  async #shipNew(): Promise<void> {
    const shipped = this.#shipped;
    if (shipped === undefined || this.#isBaseDue(shipped)) return await this.#newBase();
    const changes = this.#local.changesSince(shipped.mark, this.#bounds.mostAtOnce);
    if (changes === undefined) return await this.#newBase();
    if (changes.size === undefined) return;
    const seq = shipped.seq + 1;
    const chunk = await this.#chunk({ ...shipped, seq }, changes, changes.size);
    await sendFrames(this.#access, this.#options, chunk);
    this.#count('chunks', chunk.bytes);
    const frameBytes = shipped.frameBytes + chunk.bytes.length;
    this.#shipped = { ...shipped, seq, mark: changes.mark, frameBytes };
    this.#restartLog();
  }

  #isBaseDue({ baseBytes, frameBytes }: ShippedJournal): boolean {
    const { timesBase, leastBytes } = this.#bounds;
    return frameBytes > Math.max(leastBytes, timesBase * baseBytes);
  }

  /** Where the log is long, it is begun again: nothing of it is missing in the database. */
  #restartLog(): void {
    const shipped = this.#shipped;
    if (shipped === undefined || shipped.mark.frames < this.#bounds.logFrames + this.#triedAt) return;
    const done = this.#local.restartLog(shipped.mark);
    // Its reader will have finished a while later.
    this.#triedAt = done === 'busy' ? shipped.mark.frames : 0;
    if (done === 'restarted') this.#shipped = { ...shipped, mark: logBeginning };
    // A commit may have gone unread: the whole journal is shipped again.
    else if (done === 'lost') this.#shipped = undefined;
  }

  async #newBase(): Promise<void> {
    const { workspace, key } = this.#options;
    const generation = await nextGeneration(this.#access, workspace);
    this.#local.restartLog();
    this.#triedAt = 0;
    let [parts, baseBytes] = [0, 0];
    for (const plain of this.#local.parts(partBytes)) {
      const bytes = await seal(key, basePlace(workspace, generation, parts), plain);
      await sendBasePart(this.#access, this.#options, { generation, part: parts, bytes });
      this.#count('parts', bytes);
      parts += 1;
      baseBytes += bytes.length;
    }
    const changes = this.#local.changesSince(logBeginning) ?? {
      pages: new Map(),
      size: undefined,
      mark: logBeginning,
    };
    const at = { generation, parts, seq: 0 };
    const chunk = await this.#chunk(at, changes, changes.size ?? this.#local.filePages());
    await sendFirstFrames(this.#access, this.#options, chunk);
    this.#count('chunks', chunk.bytes);
    this.#shipped = { ...at, mark: changes.mark, baseBytes, frameBytes: chunk.bytes.length };
  }

  #count(what: 'chunks' | 'parts', { length }: Buffer): void {
    this.sent[what] += 1;
    this.sent.bytes += length;
  }

  async #chunk(
    { generation, parts, seq }: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
    { pages, mark }: Pick<LogChanges, 'pages' | 'mark'>,
    size: number,
  ): Promise<Chunk> {
    const { workspace, key } = this.#options;
    const at = { generation, parts, seq };
    const packed = packPages({ pageSize: this.#local.pageSize, size, pages });
    const bytes = await sealFrames(key, workspace, { ...at, mark }, packed);
    return { ...at, mark, bytes, reached: await sealEnd(key, workspace, { ...at, mark }) };
  }
}
