import { afterAll, describe, expect, it } from 'vitest';
import { type HistoryPlan, Journals, play } from './history.ts';
import { drawn, mannersOf } from './plans.ts';

/** How many histories each suite plays; a longer run sets the variable to 20, or 1000. */
const times = Number(process.env.LONGSHORE_SIMULATION ?? '1');

const journals = new Journals();
afterAll(() => journals.remove());

const base: HistoryPlan = {
  seed: 1,
  rows: 12,
  manners: mannersOf(0),
  trouble: { rate: 0, latestMs: 1_500 },
  onMatch: 'update',
  concurrency: 4,
  deaths: [],
  stops: [],
};

async function playAll(plans: Iterable<HistoryPlan>): Promise<number> {
  let played = 0;
  for (const plan of plans) {
    await play(plan, journals);
    played += 1;
  }
  return played;
}

function* seeds(first: number, count: number): Iterable<number> {
  for (let seed = first; seed < first + count * times; seed += 1) yield seed;
}

function* plans(first: number, count: number, more: (seed: number) => Partial<HistoryPlan>) {
  for (const seed of seeds(first, count)) yield { ...base, seed, manners: mannersOf(seed), ...more(seed) };
}

const patience = { timeout: 60_000 * Math.max(1, times) };

describe('an import leaves the workspace exact, each person once, and its rows add up', patience, () => {
  it('without trouble, under every policy', async () => {
    const onMatch = (seed: number) => (['update', 'fill', 'skip', 'reject'] as const)[seed % 4] ?? 'update';
    await playAll(plans(1_000, 64, (seed) => ({ onMatch: onMatch(seed), manners: mannersOf(seed >> 2) })));
  });

  it.each([
    ['of one history', {}, [0, 1, 2, 3, 4, 5, 6, 7]],
    // Longer than a new contact takes: what is known of its intent says nothing any more about when it left.
    [
      'after its creates were kept waiting',
      { hurdles: ['queued', 'queued', 'queued', 'queued', 'queued'] },
      [7],
    ],
    ['while its creates are applied late', { hurdles: ['late'] }, [4, 7]],
  ] as const)('when it dies at each instant %s', async (_what, more, manners) => {
    // Two new people, two rows each.
    for (const manner of manners) {
      const trouble = { ...base.trouble, ...more };
      const history = { ...base, seed: 2_007, rows: 3, trouble, manners: mannersOf(manner) };
      const { points, created } = await play(history, journals);
      expect(created).toBe(2);
      for (let death = 1; death <= points; death += 1) await play({ ...history, deaths: [death] }, journals);
    }
  });

  it('when answers are lost, late, broken, and the workspace is busy', async () => {
    await playAll(
      plans(3_000, 100, (seed) => ({ trouble: { rate: 0.05 + (seed % 4) * 0.05, latestMs: 1_500 } })),
    );
  });

  it('when it dies again and again in the middle of trouble', async () => {
    await playAll(plans(4_000, 160, (seed) => drawn(seed)));
  });

  it('when it is interrupted by signals in the middle of trouble', async () => {
    await playAll(
      plans(5_000, 50, (seed) => ({
        trouble: { rate: 0.1, latestMs: 1_500 },
        stops: [30 + (seed % 7) * 40, 3 * (seed % 100)],
      })),
    );
  });

  it('when the workspace is away for longer than a new contact takes', async () => {
    await playAll(
      plans(6_000, 30, (seed) => ({
        trouble: { rate: 0.1, latestMs: 1_500, outage: [100 + (seed % 10) * 30, 90_000] },
        deaths: seed % 2 === 0 ? [] : [20 + (seed % 60)],
      })),
    );
  });
});
