import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parseFleetKey } from '../../src/fleet/crypt/key.ts';
import { takeLease } from '../../src/fleet/lease/lease.ts';
import { defaultJournalShippingLimits, type JournalShippingLimits } from '../../src/fleet/ship/ship.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { type FleetDatabase, newKeyText } from './fleet-database.ts';
import { bytesShipped, folder, numbersIn, restored } from './shipped-journal.ts';

const script = fileURLToPath(new URL('processes/commit-rows.mjs', import.meta.url));
const times = { leaseMs: 3_600_000, settleMs: 0 };

/** Small enough that bases and logs change hands during a test. */
const bounds: JournalShippingLimits = {
  ...defaultJournalShippingLimits,
  logFrames: 150,
  leastBytes: 200_000,
  timesBase: 2,
};

/** Random numbers in [0, 1) that are the same each time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/**
 * Workers that commit rows, each killed with kill -9 after so many acknowledged ones, each followed by another one on the same
 * machine or on a new one. After each kill what was shipped is restored elsewhere: with every row that was ever acknowledged,
 * and byte for byte what the dead one had shipped, as long as its log still tells.
 */
export async function killWorkers(database: FleetDatabase, seed: number, kills: number): Promise<void> {
  const random = randomOf(seed);
  const workspace = `killed ${seed}`;
  const keyText = newKeyText();
  const key = parseFleetKey(keyText, {});
  const machines = [folder(), folder()];
  const acknowledged = new Set<number>();
  let same = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await database.pool.query('UPDATE longshore.holder SET released = true WHERE workspace = $1', [
      workspace,
    ]);
    const { token } = await takeLease(database.pool, workspace, 'test', times, new AbortController().signal, {
      clock: systemClock,
    });
    const workDir = machines[random() < 0.6 ? 0 : 1] ?? '';
    const lanes = random() < 0.5 ? 1 : 1 + Math.floor(random() * 64);
    const job = { url: database.postgres.url, workDir, workspace, token, key: keyText, lanes, bounds };
    const worker = spawn(process.execPath, [script, JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const enough = 1 + Math.floor(random() * random() * 400);
    await killedAfter(worker, enough, acknowledged);
    // A statement of the dead one may still be under way: the next holder waits for it, and so does this.
    await database.pool.query("UPDATE longshore.holder SET worker = 'nobody' WHERE workspace = $1", [
      workspace,
    ]);
    const elsewhere = await restored(database.pool, workspace, key);
    const there = new Set(elsewhere.numbers);
    expect(
      [...acknowledged].filter((n) => !there.has(n)),
      `kill ${kill} of seed ${seed}`,
    ).toEqual([]);
    const shipped = await bytesShipped(database.pool, workspace, workDir);
    if (elsewhere.bytes.equals(shipped.bytes)) {
      same += 1;
      continue;
    }
    // Killed while it made a new base: first the log goes into the database, with commits that nobody was told of yet.
    expect(shipped.logGoesOn, `other bytes after kill ${kill} of seed ${seed}`).toBe(false);
    expect(numbersIn(shipped.workDir)).toEqual(expect.arrayContaining([...elsewhere.numbers]));
  }
  expect(same, 'kills after which the bytes could be compared').toBeGreaterThan(0);
}

type Worker = ChildProcessByStdio<null, Readable, null>;

async function killedAfter(worker: Worker, enough: number, acknowledged: Set<number>): Promise<void> {
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    worker.once('close', (_, signal) => resolve(signal)),
  );
  let count = 0;
  for await (const line of createInterface({ input: worker.stdout })) {
    acknowledged.add(Number(line));
    count += 1;
    if (count === enough) worker.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
}
