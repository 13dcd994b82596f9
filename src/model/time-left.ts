const leastMs = 10_000;
const leastDone = 10;

/** Whether a pace is measured over enough time and enough rows to tell by it how long the rest takes: the first row alone says nothing. */
export function tellsTimeLeft(measuredMs: number, done: number): boolean {
  return measuredMs >= leastMs && done >= leastDone;
}
