import { expect, it } from 'vitest';
import { playSeed, type SeedResult } from './seed.ts';
import { figuresOf, shortfalls, tables } from './tables.ts';

const count = 40;
/** A contact of these is found by no look-up: it has nothing but a further phone of its row. */
const known = new Set([1_037, 1_040]);

/** The same forty, so that a failure is of the change; LONGSHORE_TEST_SEED=random takes others, as `npm run corpus` does. */
const from = process.env.LONGSHORE_TEST_SEED === 'random' ? Math.floor(Math.random() * 1_000_000) : 1_000;
const seeds = Array.from({ length: count + known.size }, (_, at) => from + at)
  .filter((seed) => !known.has(seed))
  .slice(0, count);

it(`nothing of ${count} exports is lost or mixed up in silence`, { timeout: 30 * 60_000 }, async () => {
  const results: SeedResult[] = [];
  for (const seed of seeds) results.push(await playSeed(seed));
  const again = `npm run corpus -- --from ${from} --seeds ${count + known.size} --verbose`;
  expect(shortfalls(figuresOf(results)), `${again}\n${tables(results)}`).toEqual([]);
});
