import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playSeed, type SeedResult } from './seed.ts';
import { figuresOf, shortfalls, tables } from './tables.ts';
import { leastRightOfForty } from './thresholds.ts';

const count = 40;

/** Seeds that are fresh for each change of the code, and the same wherever that code is tested. */
function freshSeed(): number {
  const hash = createHash('sha256');
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of files.sort()) hash.update(readFileSync(join('src', name)));
  return hash.digest().readUInt32BE(0) % 1_000_000_000;
}

const from = freshSeed();

it(`nothing of ${count} exports is lost or mixed up in silence`, { timeout: 30 * 60_000 }, async () => {
  const results: SeedResult[] = [];
  for (let seed = from; seed < from + count; seed += 1) results.push(await playSeed(seed));
  const again = `npm run corpus -- --from ${from} --seeds ${count} --verbose`;
  expect(shortfalls(figuresOf(results), leastRightOfForty), `${again}\n${tables(results)}`).toEqual([]);
});
