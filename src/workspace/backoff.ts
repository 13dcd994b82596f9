import type { Randomness } from '../model/ports.ts';

const baseMs = 500;
const capMs = 30_000;

/** Milliseconds to wait after the given number of failures in a row: full jitter below a bound that doubles. */
export function backoffMs(failures: number, randomness: Randomness): number {
  return randomness.next() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}
