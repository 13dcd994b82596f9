import { seeded } from '../../../workspace/seeded.ts';
import type { HistoryPlan } from './history.ts';
import type { Manners } from './model-workspace.ts';
import type { SimulatedPolicy } from './policy.ts';

/** One of the 32 combinations of what the specification leaves open. */
export function mannersOf(number: number): Manners {
  return {
    existing: (number & 1) === 0 ? 'refuse' : 'duplicate',
    arrays: (number & 2) === 0 ? 'merge' : 'replace',
    processingMs: (number & 4) === 0 ? 0 : 3_000,
    slow: (number & 8) === 0 ? 404 : 449,
    merged: (number & 16) === 0 ? 'gone' : 'answers',
  };
}

/** A policy drawn by its seed; the defaults are as likely as all others together. */
export function policyOf(seed: number): SimulatedPolicy {
  const randomness = seeded(seed ^ 0x5eed);
  const pick = <T>(usual: T, others: readonly T[]): T =>
    randomness.next() < 0.5 ? usual : (others[Math.floor(randomness.next() * others.length)] ?? usual);
  return {
    onMatch: pick('update', ['fill', 'fill', 'skip', 'reject']),
    onConflict: pick('review', ['merge', 'merge', 'merge', 'prefer-email', 'prefer-phone', 'reject']),
    duplicates: pick('merge', ['first', 'last', 'reject']),
    lookup: pick('single', ['snapshot']),
    existing: pick(false, [true]),
    hold: pick(false, [false, true]),
    exclusive: pick(false, [true]),
  };
}

/** A history drawn by its seed: up to four deaths, up to a quarter of all requests in trouble. */
export function drawn(seed: number): Partial<HistoryPlan> {
  const randomness = seeded(seed);
  const below = (limit: number) => Math.floor(randomness.next() * limit);
  return {
    rows: 3 + below(12),
    manners: mannersOf(below(32)),
    trouble: { rate: randomness.next() * 0.25, latestMs: 1_500 },
    policy: policyOf(seed),
    keyed: below(2) === 0,
    full: below(3) === 0,
    concurrency: seed % 4 === 0 ? 'auto' : 1 + below(8),
    deaths: Array.from({ length: 1 + below(4) }, () => 1 + below(150)),
  };
}
