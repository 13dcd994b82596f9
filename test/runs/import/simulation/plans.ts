import type { OnMatch } from '../../../../src/identity/decide.ts';
import { seeded } from '../../../workspace/seeded.ts';
import type { HistoryPlan } from './history.ts';
import type { Manners } from './model-workspace.ts';

/** One of the eight combinations of what the specification leaves open. */
export function mannersOf(number: number): Manners {
  return {
    existing: (number & 1) === 0 ? 'refuse' : 'duplicate',
    arrays: (number & 2) === 0 ? 'merge' : 'replace',
    processingMs: (number & 4) === 0 ? 0 : 3_000,
  };
}

const policies: readonly OnMatch[] = ['update', 'update', 'update', 'fill', 'skip', 'reject'];

/** A history drawn by its seed: up to four deaths, up to a quarter of all requests in trouble. */
export function drawn(seed: number): Partial<HistoryPlan> {
  const randomness = seeded(seed);
  const below = (limit: number) => Math.floor(randomness.next() * limit);
  return {
    rows: 3 + below(12),
    manners: mannersOf(below(8)),
    trouble: { rate: randomness.next() * 0.25, latestMs: 1_500 },
    onMatch: policies[below(policies.length)] ?? 'update',
    concurrency: 1 + below(8),
    deaths: Array.from({ length: 1 + below(4) }, () => 1 + below(90)),
  };
}
