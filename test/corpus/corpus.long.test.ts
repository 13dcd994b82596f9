import { expect, it } from 'vitest';
import { sourceSeed } from '../source-seed.ts';
import { playSeed, type SeedResult } from './seed.ts';
import { figuresOf, shortfalls, tables } from './tables.ts';
import { leastRightOfForty } from './thresholds.ts';

const count = 40;

const from = sourceSeed();

it(`nothing of ${count} exports is lost or mixed up in silence`, { timeout: 30 * 60_000 }, async () => {
  const results: SeedResult[] = [];
  for (let seed = from; seed < from + count; seed += 1) results.push(await playSeed(seed));
  const again = `npm run corpus -- --from ${from} --seeds ${count} --verbose`;
  expect(shortfalls(figuresOf(results), leastRightOfForty), `${again}\n${tables(results)}`).toEqual([]);
});
