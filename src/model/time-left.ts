const leastMs = 10_000;
const leastDone = 10;

/**
 * Returns true if a pace was measured for long enough (ms) and over enough rows to estimate the time left: at least ten
 * seconds and ten rows.
 */
export function canEstimateTimeLeft(measuredMs: number, done: number): boolean {
  return measuredMs >= leastMs && done >= leastDone;
}
