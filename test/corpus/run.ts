import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
import { playSeed, type SeedResult } from './seed.ts';
import { figuresOf, linesOf, shortfalls, tables } from './tables.ts';

const { LONGSHORE_CORPUS = '{}' } = process.env;
const { from, seeds, verbose, out }: { from: number; seeds: number; verbose: boolean; out: string } =
  JSON.parse(LONGSHORE_CORPUS);

it(`seeds ${from} to ${from + seeds - 1}`, async () => {
  const results: SeedResult[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const result = await playSeed(seed, verbose).catch((error: unknown) => {
      throw new Error(`Seed ${seed} was not played to its end.`, { cause: error });
    });
    results.push(result);
    if (verbose) appendFileSync(out, `${linesOf(result, true)}\n\n`);
  }
  appendFileSync(out, `${tables(results)}\n`);
  const missed = shortfalls(figuresOf(results));
  if (missed.length > 0) throw new Error(`From seed ${from}: ${missed.join(', ')}.`);
});
