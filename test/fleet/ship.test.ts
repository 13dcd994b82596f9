import { existsSync, statSync } from 'node:fs';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { takeLease, tryTakeLease } from '../../src/fleet/lease/lease.ts';
import { restoreJournal } from '../../src/fleet/ship/restore.ts';
import {
  defaultJournalShippingLimits,
  type JournalShipping,
  type JournalShippingOptions,
  openJournalShipping,
  rewriteShippedJournal,
} from '../../src/fleet/ship/ship.ts';
import { listShippedJournalSizes } from '../../src/fleet/ship/shipped.ts';
import { GroupCommit } from '../../src/journal/group-commit.ts';
import { type JournalDatabase, openJournalDatabase, toJournalPath } from '../../src/journal/index.ts';
import { compactDatabase } from '../../src/storage/sqlite.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { type FleetDatabase, fleetDatabase, newKey } from './fleet-database.ts';
import { sealedAsBefore } from './older-chunks.ts';
import { bytesShipped, folder, numbersIn, restored } from './shipped-journal.ts';

let database: FleetDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await fleetDatabase();
  pool = database.pool;
});
afterAll(() => database.remove());

const key = newKey();
const times = { leaseMs: 3_600_000, settleMs: 0 };
const never = new AbortController().signal;
const ports = { clock: systemClock };
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Takes a workspace from whoever has it. */
async function holding(
  workspace: string,
  more: Partial<JournalShippingOptions> = {},
): Promise<JournalShippingOptions> {
  await pool.query('UPDATE longshore.holder SET released = true WHERE workspace = $1', [workspace]);
  const { token } = await takeLease(pool, workspace, 'test', times, never, ports);
  return { workspace, token, key, clock: systemClock, signal: never, ...more };
}

/** A journal that is shipped, with a table of numbers. */
class Shipped {
  readonly shipping: JournalShipping;
  readonly file: JournalDatabase;
  readonly #commit: GroupCommit;

  private constructor(shipping: JournalShipping, workDir: string) {
    this.shipping = shipping;
    this.file = openJournalDatabase(workDir, { shipped: true });
    this.file.exec('CREATE TABLE IF NOT EXISTS number (n INTEGER PRIMARY KEY, text TEXT)');
    this.#commit = new GroupCommit(this.file, systemClock, { maxConcurrentIntents: () => 0, shipping });
  }

  static async open(workDir: string, options: JournalShippingOptions): Promise<Shipped> {
    const shipped = new Shipped(await openJournalShipping(pool, workDir, options), workDir);
    onTestFinished(() => shipped.close());
    return shipped;
  }

  /** Resolves when these are acknowledged. */
  async add(numbers: readonly number[], text = 'Ada'): Promise<void> {
    const insert = this.file.prepare('INSERT INTO number (n, text) VALUES (?, ?)');
    await Promise.all(numbers.map((n) => this.#commit.durable(() => void insert.run(n, `${text} ${n}`))));
  }

  async close(): Promise<void> {
    if (!this.file.open) return;
    this.file.close();
    await this.shipping.close();
  }
}

describe('a journal that is shipped', () => {
  it('is restored byte for byte, readable by its owner alone', async () => {
    const workDir = folder();
    const journal = await Shipped.open(workDir, await holding('restored'));
    for (const n of upTo(20)) await journal.add([2 * n, 2 * n + 1]);
    const elsewhere = await restored(pool, 'restored', key);
    expect(elsewhere.numbers).toEqual(upTo(40));
    const { bytes } = await bytesShipped(pool, 'restored', workDir);
    expect(elsewhere.bytes.equals(bytes)).toBe(true);
    expect(statSync(toJournalPath(elsewhere.workDir)).mode & 0o777).toBe(0o600);
  });

  it.each([
    [
      'its newest frames',
      `DELETE FROM longshore.frames f WHERE workspace = $1 AND seq = (
       SELECT max(seq) FROM longshore.frames o WHERE o.workspace = f.workspace)`,
    ],
    ['all of it', 'DELETE FROM longshore.frames WHERE workspace = $1'],
    [
      'the mark of its end',
      `UPDATE longshore.frames SET mark = overlay(mark PLACING '\\xff'::bytea FROM 12) WHERE workspace = $1`,
    ],
  ])('without %s no other machine continues, and the one that has it saves it again', async (what, spoil) => {
    const [workspace, workDir] = [`back-${what.length}`, folder()];
    const first = await Shipped.open(workDir, await holding(workspace));
    for (const n of upTo(4)) await first.add([n]);
    await first.close();
    await pool.query(spoil, [workspace]);
    await expect(openJournalShipping(pool, folder(), await holding(workspace))).rejects.toThrow(
      what === 'the mark of its end' ? 'is damaged in the database' : 'is not all that was saved',
    );
    const again = await Shipped.open(workDir, await holding(workspace));
    await again.add([4]);
    await again.close();
    expect((await restored(pool, workspace, key)).numbers).toEqual(upTo(5));
  });

  const withoutNewest = `DELETE FROM longshore.frames f WHERE workspace = $1 AND seq = (
    SELECT max(seq) FROM longshore.frames o WHERE o.workspace = f.workspace)`;

  it.each([
    ['is removed with its newest frames', [], 'is not all that was saved'],
    [
      'is removed, too, and the rest made to look like that of an older version',
      ['UPDATE longshore.frames SET bytes = set_byte(bytes, 0, 1) WHERE workspace = $1'],
      'is damaged in the database',
    ],
  ])('does not continue where the seal of its end %s', async (what, also, message) => {
    const workspace = `unsealed-${what.length}`;
    const journal = await Shipped.open(folder(), await holding(workspace));
    for (const n of upTo(4)) await journal.add([n]);
    await journal.close();
    const unsealed = 'UPDATE longshore.holder SET reached = NULL WHERE workspace = $1';
    for (const statement of [withoutNewest, unsealed, ...also]) await pool.query(statement, [workspace]);
    await expect(openJournalShipping(pool, folder(), await holding(workspace))).rejects.toThrow(message);
    await expect(restoreJournal(pool, workspace, folder(), key)).rejects.toThrow(message);
  });

  it('continues where an older version has saved it, which sealed neither its marks nor its end', async () => {
    const journal = await Shipped.open(folder(), await holding('older'));
    for (const n of upTo(3)) await journal.add([n]);
    await journal.close();
    await sealedAsBefore(pool, 'older', key);
    await pool.query("UPDATE longshore.holder SET reached = NULL WHERE workspace = 'older'");
    const next = await Shipped.open(folder(), await holding('older'));
    expect(next.shipping.from).toBe('restored');
    await next.add([3]);
    expect((await restored(pool, 'older', key)).numbers).toEqual(upTo(4));
  });

  it('is nothing where nothing was shipped', async () => {
    const workDir = folder();
    expect(await restoreJournal(pool, 'nothing', workDir, key)).toBe(false);
    expect(existsSync(toJournalPath(workDir))).toBe(false);
  });

  it('goes on with the log that it left, and ships what nobody waited for', async () => {
    const workDir = folder();
    const first = await Shipped.open(workDir, await holding('continued'));
    await first.add([0]);
    await first.add([1]);
    first.file.exec("INSERT INTO number VALUES (2, 'unshipped')");
    await first.close();
    expect((await restored(pool, 'continued', key)).numbers).toEqual([0, 1]);
    const second = await Shipped.open(workDir, await holding('continued'));
    expect(second.shipping.from).toBe('local');
    await second.add([3]);
    expect((await restored(pool, 'continued', key)).numbers).toEqual([0, 1, 2, 3]);
  });

  it('goes on elsewhere without a new base; where it was before, it is behind, and replaced', async () => {
    const [here, there] = [folder(), folder()];
    const first = await Shipped.open(here, await holding('moved'));
    await first.add([1]);
    first.file.exec("INSERT INTO number VALUES (9, 'unshipped')");
    await first.close();
    const { rows: before } = await pool.query(
      "SELECT generation FROM longshore.base WHERE workspace = 'moved'",
    );
    const second = await Shipped.open(there, await holding('moved'));
    expect(second.shipping.from).toBe('restored');
    await second.add([2]);
    await second.close();
    const { rows: after } = await pool.query(
      "SELECT generation FROM longshore.base WHERE workspace = 'moved'",
    );
    expect(after).toEqual(before);
    const third = await Shipped.open(here, await holding('moved'));
    expect(third.shipping.from).toBe('restored');
    await third.add([3]);
    expect((await restored(pool, 'moved', key)).numbers).toEqual([1, 2, 3]);
    await third.close();
    expect(numbersIn(here)).toEqual([1, 2, 3]);
  });

  it('that somebody else has put into the database meanwhile is replaced by what was shipped', async () => {
    const workDir = folder();
    const first = await Shipped.open(workDir, await holding('checkpointed'));
    await first.add([1]);
    await first.close();
    // As any command does that is the last one to close it.
    openJournalDatabase(workDir).close();
    const second = await Shipped.open(workDir, await holding('checkpointed'));
    expect(second.shipping.from).toBe('restored');
    await second.add([2]);
    expect((await restored(pool, 'checkpointed', key)).numbers).toEqual([1, 2]);
  });

  it('is shipped whole where the database has nothing of it any more', async () => {
    const workDir = folder();
    const first = await Shipped.open(workDir, await holding('lost database'));
    await first.add([1]);
    await first.close();
    await pool.query("DELETE FROM longshore.base WHERE workspace = 'lost database'");
    await pool.query("DELETE FROM longshore.frames WHERE workspace = 'lost database'");
    const second = await Shipped.open(workDir, await holding('lost database'));
    await second.add([2]);
    expect((await restored(pool, 'lost database', key)).numbers).toEqual([1, 2]);
  });

  it('restarts its log without a new base, and gets a new base when it has grown by much', async () => {
    const workDir = folder();
    const bounds = { ...defaultJournalShippingLimits, logFrames: 20, leastBytes: 40_000, timesBase: 2 };
    const journal = await Shipped.open(workDir, await holding('bounded', { bounds }));
    const generations = async () => {
      const { rows } = await pool.query<{ generation: string }>(
        "SELECT DISTINCT generation::int FROM longshore.frames WHERE workspace = 'bounded'",
      );
      return rows.map(({ generation }) => Number(generation));
    };
    let largestLog = 0;
    for (const n of upTo(150)) {
      await journal.add([n], 'x'.repeat(500));
      largestLog = Math.max(largestLog, statSync(`${toJournalPath(workDir)}-wal`).size);
      const size = (await listShippedJournalSizes(pool)).find(({ workspace }) => workspace === 'bounded');
      expect(size?.frameBytes).toBeLessThan(Math.max(40_000, 2 * (size?.baseBytes ?? 0)) + 10_000);
      if (n === 20) expect(await generations()).toEqual([1]);
    }
    expect(largestLog).toBeLessThan(60 * 4_120);
    const [last = 0, ...others] = await generations();
    expect(last).toBeGreaterThan(1);
    expect(others).toEqual([]);
    const elsewhere = await restored(pool, 'bounded', key);
    expect(elsewhere.numbers).toEqual(upTo(150));
    const { bytes } = await bytesShipped(pool, 'bounded', workDir);
    expect(elsewhere.bytes.equals(bytes)).toBe(true);
  });

  it('keeps its log from being restarted by anybody else', async () => {
    const workDir = folder();
    const journal = await Shipped.open(workDir, await holding('held'));
    const other = openJournalDatabase(workDir);
    onTestFinished(() => void other.close());
    other.pragma('busy_timeout = 0');
    for (const n of upTo(5)) {
      await journal.add([n]);
      const isBusy = other.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
      expect(n === 0 || isBusy === 1).toBe(true);
    }
    const { rows } = await pool.query(
      "SELECT DISTINCT generation::int FROM longshore.frames WHERE workspace = 'held'",
    );
    expect(rows).toEqual([{ generation: 1 }]);
    expect((await restored(pool, 'held', key)).numbers).toEqual(upTo(5));
  });

  it('loses nothing where another connection reads, commits and closes all the time', async () => {
    const workDir = folder();
    const bounds = { ...defaultJournalShippingLimits, logFrames: 10, leastBytes: 60_000, timesBase: 1 };
    const journal = await Shipped.open(workDir, await holding('company', { bounds }));
    await journal.add([1_000]);
    for (const n of upTo(60)) {
      const other = openJournalDatabase(workDir);
      const reading = other.prepare('SELECT n FROM number').iterate();
      reading.next();
      await journal.add([n]);
      reading.return?.();
      if (n % 3 === 0) other.exec(`INSERT INTO number VALUES (${2_000 + n}, 'other')`);
      if (n % 5 === 0) other.pragma('wal_checkpoint(PASSIVE)');
      other.close();
    }
    await journal.shipping.ship();
    const elsewhere = await restored(pool, 'company', key);
    await journal.close();
    expect(elsewhere.numbers).toEqual(numbersIn(workDir));
    expect(elsewhere.numbers).toHaveLength(81);
  });

  it('survives a restart of the database', async () => {
    const journal = await Shipped.open(folder(), await holding('restart'));
    await journal.add([1]);
    let isOver = false;
    const restarting = database.postgres.restart().finally(() => {
      isOver = true;
    });
    let next = 2;
    for (; !isOver; next += 1) await journal.add([next]);
    await restarting;
    await journal.add([next]);
    expect((await restored(pool, 'restart', key)).numbers).toEqual(upTo(next + 1).slice(1));
  });

  it('forgets what was removed from it', async () => {
    const workDir = folder();
    const journal = await Shipped.open(workDir, await holding('forget'));
    await journal.add([1, 2, 3]);
    await journal.close();
    await rewriteShippedJournal(pool, workDir, await holding('forget'), async () => {
      const file = openJournalDatabase(workDir);
      file.pragma('secure_delete = ON');
      file.exec('DELETE FROM number WHERE n = 2');
      compactDatabase(file);
      file.close();
      await Promise.resolve();
    });
    const elsewhere = await restored(pool, 'forget', key);
    expect(elsewhere.numbers).toEqual([1, 3]);
    expect(elsewhere.bytes.includes('Ada 2')).toBe(false);
    expect(elsewhere.bytes.includes('Ada 3')).toBe(true);
    const { rows } = await pool.query(
      "SELECT generation::int, seq::int FROM longshore.frames WHERE workspace = 'forget'",
    );
    expect(rows).toEqual([{ generation: 2, seq: 0 }]);
  });
});

describe('whoever has lost the token', () => {
  it('ships nothing more, and nothing more is acknowledged', async () => {
    const workDir = folder();
    const old = await Shipped.open(workDir, await holding('fenced'));
    await old.add([1]);
    const next = await Shipped.open(folder(), await holding('fenced'));
    const refused = { reason: 'locked', message: expect.stringContaining('has lost its lease') };
    await expect(old.add([2])).rejects.toMatchObject(refused);
    await expect(old.shipping.startOver()).rejects.toMatchObject(refused);
    await next.add([3]);
    await expect(old.add([4])).rejects.toMatchObject(refused);
    expect((await restored(pool, 'fenced', key)).numbers).toEqual([1, 3]);
  });

  it('is in the database before the new one, or not at all, also in the middle of its statement', async () => {
    const old = await Shipped.open(folder(), await holding('race'));
    await old.add([0]);
    // The old one's insert has passed its fence and waits for somebody's row in its place; the new one takes the workspace.
    const blocker = await pool.connect();
    onTestFinished(async () => {
      await blocker.query('ROLLBACK');
      blocker.release();
    });
    await blocker.query('BEGIN');
    await blocker.query(`INSERT INTO longshore.frames
      SELECT workspace, generation, seq + 1, 0, parts, mark, bytes FROM longshore.frames
      WHERE workspace = 'race' ORDER BY seq DESC LIMIT 1`);
    const waiting = async () => {
      const { rows } = await pool.query<{ n: string }>(
        'SELECT count(*) AS n FROM pg_locks WHERE NOT granted',
      );
      return Number(rows[0]?.n);
    };
    const late = old.add([1]).then(
      () => true,
      () => false,
    );
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    let isTaken = false;
    // It is over for whoever settles for less than nothing: to set its end would wait for the old one, too.
    const taking = tryTakeLease(pool, 'race', 'new', { ...times, settleMs: -2 * times.leaseMs }, ports).then(
      (lease) => {
        isTaken = true;
        return lease;
      },
    );
    await expect.poll(async () => isTaken || (await waiting()) === 2, { timeout: 60_000 }).toBe(true);
    expect(isTaken).toBe(false);
    await blocker.query('ROLLBACK');
    expect((await taking)?.token).toBe('2');
    // What the new holder reads after it has taken the workspace is final.
    const read = (await restored(pool, 'race', key)).numbers;
    expect(read).toEqual((await late) ? [0, 1] : [0]);
    await expect(old.add([2])).rejects.toMatchObject({ reason: 'locked' });
    expect((await restored(pool, 'race', key)).numbers).toEqual(read);
  });
});

describe('what was shipped', () => {
  const damage = async (workspace: string, statement: string) => {
    const workDir = folder();
    const journal = await Shipped.open(workDir, await holding(workspace));
    for (const n of upTo(4)) await journal.add([n]);
    await journal.close();
    await pool.query(statement, [workspace]);
    const elsewhere = folder();
    const failure = await restoreJournal(pool, workspace, elsewhere, key).catch((error: unknown) => error);
    expect(existsSync(toJournalPath(elsewhere))).toBe(false);
    return failure;
  };

  it.each([
    [
      'cut off',
      'UPDATE longshore.frames SET bytes = substring(bytes FOR octet_length(bytes) - 1) WHERE workspace = $1 AND seq = 2',
    ],
    [
      'changed',
      'UPDATE longshore.base SET bytes = set_byte(bytes, 100, get_byte(bytes, 100) # 1) WHERE workspace = $1',
    ],
    [
      'swapped',
      `UPDATE longshore.frames f SET bytes = (SELECT bytes FROM longshore.frames o
       WHERE o.workspace = f.workspace AND o.seq = 3 - f.seq) WHERE workspace = $1 AND seq IN (1, 2)`,
    ],
    ['short of a part', 'UPDATE longshore.frames SET parts = 0 WHERE workspace = $1'],
  ])('is refused where it is %s', async (what, statement) => {
    expect(await damage(what, statement)).toMatchObject({ message: expect.stringContaining('is damaged') });
  });

  it.each([
    ['a base', 'DELETE FROM longshore.base WHERE workspace = $1', 'part 0 of its base is missing'],
    [
      'frames',
      'DELETE FROM longshore.frames WHERE workspace = $1 AND seq = 2',
      'chunk 2 of its frames is missing',
    ],
  ])('is refused where it lacks %s', async (what, statement, message) => {
    expect(await damage(`lacks ${what}`, statement)).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('is not touched with another key', async () => {
    const journal = await Shipped.open(folder(), await holding('other key'));
    await journal.add([1]);
    const other = { key: newKey() };
    const refused = { reason: 'usage', message: expect.stringContaining('was encrypted with another key') };
    await expect(restoreJournal(pool, 'other key', folder(), other.key)).rejects.toMatchObject(refused);
    await expect(
      openJournalShipping(pool, folder(), await holding('other key', other)),
    ).rejects.toMatchObject(refused);
  });
});
