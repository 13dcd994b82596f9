import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runSchedulerTick } from '../../src/fleet/schedule/ticker.ts';
import { seeded } from '../workspace/seeded.ts';
import { applied, everyNight, fleetOf, fleetSite, takeAll } from './site.ts';

const site = fleetSite();

const script = fileURLToPath(new URL('ticking.mjs', import.meta.url));
const due = Date.parse('2026-01-13T02:00:00Z');

/** What a process that ticks and takes has said until it was killed, right after the n-th line. */
async function runUntilKilled(worker: string, n: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [script, site.url, worker, String(due)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
    if (text.split('\n').length > n) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return text.split('\n').slice(0, -1);
}

describe('a fleet of many', () => {
  it('sends 2,000 exports that are due, none twice, each once, spread as stated', async () => {
    const schedule = { ...everyNight, spread: 7_200_000 };
    const names = Array.from({ length: 2_000 }, (_, n) => `w${n} nightly`);
    await applied(
      site,
      fleetOf(Object.fromEntries(names.map((name) => [name, { schedule }]))),
      '2026-01-01T12:00:00Z',
    );
    const from = Date.parse('2026-01-02T02:00:00Z');
    const sent: number[] = [];
    for (let minute = 0; minute <= 120; minute += 10) {
      const ticked = await runSchedulerTick(site.pool, site.queue, () =>
        Promise.resolve(from + minute * 60_000),
      );
      expect(ticked.sent).toBe(ticked.due);
      sent.push(ticked.sent);
    }
    expect(sent.reduce((sum, n) => sum + n, 0)).toBe(2_000);
    // 167 in ten minutes on average.
    for (const n of sent.slice(1)) expect(Math.abs(n - 2_000 / 12)).toBeLessThan(60);
    const taken = await Promise.all(['a', 'b'].map((worker) => takeAll(site, worker)));
    expect(taken.flat()).toHaveLength(2_000);
    expect(new Set(taken.flat())).toEqual(new Set(names));
  });

  it('settles each job once, although those who tick and take are killed at random', async () => {
    const chance = seeded(7);
    const names = Array.from({ length: 200 }, (_, n) => `w${n} nightly`);
    await applied(
      site,
      fleetOf(Object.fromEntries(names.map((name) => [name, { schedule: everyNight }])), { retries: 50 }),
      '2026-01-01T12:00:00Z',
    );
    const successes = async () => {
      const { rows } = await site.pool.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM longshore.assignment WHERE last_success_at IS NOT NULL AND due_at IS NULL',
      );
      return rows[0]?.n ?? 0;
    };
    const said: string[] = [];
    for (let round = 0; (await successes()) < names.length; round += 1) {
      const pair = [0, 1].map((n) => runUntilKilled(`w-${round}-${n}`, 1 + Math.floor(chance.next() * 60)));
      said.push(...(await Promise.all(pair)).flat());
      await site.queue.failLost(0);
    }
    const settled = said.filter((line) => line.startsWith('settled'));
    // A process that is killed between the end of a job and its word says less, never more.
    expect(new Set(settled).size).toBe(settled.length);
    expect(settled.length).toBeGreaterThan(names.length / 2);
    expect(await site.queue.take('last')).toBeUndefined();
    const { rows } = await site.pool.query<{ state: string; n: number }>(
      'SELECT state::text, count(*)::int AS n FROM longshore_queue.job GROUP BY state',
    );
    expect(rows).toEqual([{ state: 'completed', n: names.length }]);
  });
});
