import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from './long.ts';

/** A seed that is fresh for each change of the code, and the same wherever that code is tested. */
export function sourceSeed(): number {
  const hash = createHash('sha256');
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of files.sort()) hash.update(readFileSync(join('src', name)));
  return hash.digest().readUInt32BE(0) % 1_000_000_000;
}

/**
 * The seed of generated cases: always the same in `npm test`, fresh for each change of the code in `npm run test:long`,
 * so that what passed here passes elsewhere; that of `LONGSHORE_TEST_SEED` where it is set, by `random` a new one.
 */
export function caseSeed(): number {
  const wanted = process.env.LONGSHORE_TEST_SEED;
  if (wanted === undefined) return isLong ? sourceSeed() : 20261122;
  return wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
}
