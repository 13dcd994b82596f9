import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { type CommitShipper, toJournalPath } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import type { FleetKey } from '../crypt/key.ts';
import { seal } from '../crypt/seal.ts';
import { isLocalJournalNewer } from './compare.ts';
import type { DatabaseAccess } from './fenced.ts';
import { LocalJournalReader, localJournalHasPosition } from './local-journal.ts';
import { packDatabasePages, type WalChanges, walStart } from './log.ts';
import { restoreJournal } from './restore.ts';
import {
  activateJournalBase,
  assertNoJournalLost,
  createJournalBaseAssociatedData,
  findShippedJournal,
  journalBasePartBytes,
  type LeaseIdentity,
  readNextGeneration,
  type ShippedJournal,
  sealJournalEndPosition,
  sealWalFrames,
  storeJournalBasePart,
  storeWalFrames,
  type WalFrameChunk,
} from './shipped.ts';

/** The limits after which the WAL is restarted and a new base is shipped. */
export interface JournalShippingLimits {
  /** The number of frames of the local WAL after which it is restarted. */
  readonly logFrames: number;
  /**
   * A new base is shipped if the frames have more than this many times the bytes of the base, and more than
   * `leastBytes`.
   */
  readonly timesBase: number;
  /** The number of bytes of frames up to which no new base is shipped. */
  readonly leastBytes: number;
  /** The size of unshipped changes (bytes) beyond which a new base is shipped instead, to save memory. */
  readonly mostAtOnce: number;
}

export const defaultJournalShippingLimits: JournalShippingLimits = {
  logFrames: 8_000,
  timesBase: 3,
  leastBytes: 8 * 1024 * 1024,
  mostAtOnce: 64 * 1024 * 1024,
};

export interface JournalShippingOptions extends LeaseIdentity {
  readonly key: FleetKey;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Aborts when the lease is over; nothing is shipped after that. */
  readonly signal: AbortSignal;
  readonly bounds?: JournalShippingLimits;
}

/** The journal of a work dir, shipped to the database. */
export interface JournalShipping extends CommitShipper {
  /**
   * The origin of the opened journal: `local`, `newer` if the local one is ahead of the database, `restored` from the
   * database, or `new`.
   */
  readonly from: 'local' | 'newer' | 'restored' | 'new';
  /** The number of shipped chunks of frames, the number of shipped parts of bases, and the bytes of both. */
  readonly sent: Readonly<Record<'chunks' | 'parts' | 'bytes', number>>;
  /** Ships the whole journal as a new base, and removes everything shipped before. */
  startOver(): Promise<void>;
  /** Waits for shipments in flight and closes. Call it after this process has closed the journal. */
  close(): Promise<void>;
}

/**
 * Opens the journal of a work dir for shipping; replaces a local journal that lacks commits of the shipped one.
 * Requires the lease; the journal must not be open. Throws a FatalError if the database was set back and each of the
 * two journals has requests that the other lacks.
 */
export async function openJournalShipping(
  pool: Pool,
  workDir: string,
  options: JournalShippingOptions,
): Promise<JournalShipping> {
  const { workspace, key, clock, signal } = options;
  const access = { pool, clock, signal };
  const shipped = await findShippedJournal(access, workspace, key);
  if (shipped === undefined) {
    // A local journal is shipped as the first base. If there is none either, the database must never have had a
    // journal.
    if (!existsSync(toJournalPath(workDir))) await assertNoJournalLost(access, workspace);
    return new JournalShipper('new', access, workDir, options, undefined);
  }
  const { missing } = shipped;
  if (missing === undefined) {
    if (localJournalHasPosition(workDir, shipped.mark))
      return new JournalShipper('local', access, workDir, options, shipped);
  } else if (missing !== 'unknown' && localJournalHasPosition(workDir, missing))
    return new JournalShipper('newer', access, workDir, options, undefined);
  const keep = (made: string) => isLocalJournalNewer(workDir, workspace, made);
  if (!(await restoreJournal(pool, workspace, workDir, key, keep)))
    return new JournalShipper('newer', access, workDir, options, undefined);
  const restored = { ...shipped, mark: walStart };
  return new JournalShipper('restored', access, workDir, options, restored);
}

/**
 * Runs `work`, which permanently removes data from the journal, then replaces everything shipped with a new base. After
 * an error or crash the database may still have the removed data, and the call must be repeated.
 */
export async function rewriteShippedJournal<T>(
  pool: Pool,
  workDir: string,
  options: JournalShippingOptions,
  work: () => Promise<T>,
): Promise<T> {
  const before = await openJournalShipping(pool, workDir, options);
  await before.close();
  const done = await work();
  // A new base, because the shipped frames still have what was removed.
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
  readonly #options: JournalShippingOptions;
  readonly #bounds: JournalShippingLimits;
  readonly #local: LocalJournalReader;
  #shipped: ShippedJournal | undefined;
  /** The number of frames in the WAL at the last attempt to restart it, if a reader prevented that; otherwise 0. */
  #triedAt = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    from: JournalShipping['from'],
    access: DatabaseAccess,
    workDir: string,
    options: JournalShippingOptions,
    shipped: ShippedJournal | undefined,
  ) {
    this.from = from;
    this.#access = access;
    this.#options = options;
    this.#bounds = options.bounds ?? defaultJournalShippingLimits;
    this.#shipped = shipped;
    this.#local = new LocalJournalReader(workDir);
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

  /** Runs shipments sequentially; after a failure all later ones fail, too. */
  #next(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work);
    this.#last = next;
    // Callers handle the rejection; this only keeps Node from reporting it as unhandled.
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
    await storeWalFrames(this.#access, this.#options, chunk);
    this.#count('chunks', chunk.bytes);
    const frameBytes = shipped.frameBytes + chunk.bytes.length;
    this.#shipped = { ...shipped, seq, mark: changes.mark, frameBytes };
    this.#restartLog();
  }

  #isBaseDue({ baseBytes, frameBytes }: ShippedJournal): boolean {
    const { timesBase, leastBytes } = this.#bounds;
    return frameBytes > Math.max(leastBytes, timesBase * baseBytes);
  }

  /** Restarts a long WAL once all of it was shipped. */
  #restartLog(): void {
    const shipped = this.#shipped;
    if (shipped === undefined || shipped.mark.frames < this.#bounds.logFrames + this.#triedAt) return;
    const done = this.#local.restartLog(shipped.mark);
    // After `busy` the WAL must grow by `logFrames` again before the next attempt: the reader may have finished by
    // then.
    this.#triedAt = done === 'busy' ? shipped.mark.frames : 0;
    if (done === 'restarted') this.#shipped = { ...shipped, mark: walStart };
    // A commit may have been missed, so the whole journal is shipped again.
    else if (done === 'lost') this.#shipped = undefined;
  }

  async #newBase(): Promise<void> {
    const { workspace, key } = this.#options;
    const generation = await readNextGeneration(this.#access, workspace);
    this.#local.restartLog();
    this.#triedAt = 0;
    let [parts, baseBytes] = [0, 0];
    for (const plain of this.#local.parts(journalBasePartBytes)) {
      const bytes = await seal(key, createJournalBaseAssociatedData(workspace, generation, parts), plain);
      await storeJournalBasePart(this.#access, this.#options, { generation, part: parts, bytes });
      this.#count('parts', bytes);
      parts += 1;
      baseBytes += bytes.length;
    }
    const changes = this.#local.changesSince(walStart) ?? {
      pages: new Map(),
      size: undefined,
      mark: walStart,
    };
    const at = { generation, parts, seq: 0 };
    const chunk = await this.#chunk(at, changes, changes.size ?? this.#local.filePages());
    await activateJournalBase(this.#access, this.#options, chunk);
    this.#count('chunks', chunk.bytes);
    this.#shipped = { ...at, mark: changes.mark, baseBytes, frameBytes: chunk.bytes.length };
  }

  #count(what: 'chunks' | 'parts', { length }: Buffer): void {
    this.sent[what] += 1;
    this.sent.bytes += length;
  }

  async #chunk(
    { generation, parts, seq }: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
    { pages, mark }: Pick<WalChanges, 'pages' | 'mark'>,
    size: number,
  ): Promise<WalFrameChunk> {
    const { workspace, key } = this.#options;
    const at = { generation, parts, seq };
    const packed = packDatabasePages({ pageSize: this.#local.pageSize, size, pages });
    const bytes = await sealWalFrames(key, workspace, { ...at, mark }, packed);
    return { ...at, mark, bytes, reached: await sealJournalEndPosition(key, workspace, { ...at, mark }) };
  }
}
