const leastMs = 10_000;
const leastDone = 10;

/**
 * Returns true if a pace is measured over enough time and enough rows to estimate the time left: the first row alone
 * shows nothing.
 */
export function tellsTimeLeft(measuredMs: number, done: number): boolean {
  return measuredMs >= leastMs && done >= leastDone;
}
