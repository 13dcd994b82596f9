import { z } from 'zod';

/** The number of buckets for each doubling of the duration; neighbouring edges are 19% apart. */
const perOctave = 4;
/** Up to 2^16 ms, a little more than a minute; the last bucket also counts longer durations. */
const buckets = 16 * perOctave + 1;

/** The durations of the answers of one operation, except those with "too many requests" (429). */
export const operationTimingSchema = z.object({
  /** Answers measured. */
  answered: z.number(),
  /** The sum of their durations (ms). */
  answeredMs: z.number(),
  /** The shortest duration (ms); 0 while there is none. */
  leastMs: z.number(),
  /** The number of answers in each bucket of durations; a bucket's upper edge is 19% above that of the one before. */
  spread: z.array(z.number()).length(buckets),
  /** The time (ms) that all calls together waited for the rate limit. */
  waitedMs: z.number(),
});

export type OperationTiming = z.output<typeof operationTimingSchema>;

export function createEmptyTiming(): OperationTiming {
  return { answered: 0, answeredMs: 0, leastMs: 0, spread: Array<number>(buckets).fill(0), waitedMs: 0 };
}

/** Adds the duration (ms) of an answer to the timing; a negative one, of a clock that was set back, counts as 0. */
export function recordAnswerTime(timing: OperationTiming, tookMs: number): void {
  const ms = Math.max(0, tookMs);
  timing.leastMs = timing.answered === 0 ? ms : Math.min(timing.leastMs, ms);
  timing.answered += 1;
  timing.answeredMs += ms;
  const bucket = bucketOf(ms);
  timing.spread[bucket] = (timing.spread[bucket] ?? 0) + 1;
}

/** Returns the sum of two timings, as if one had measured everything. */
export function mergeTimings(a: Readonly<OperationTiming>, b: Readonly<OperationTiming>): OperationTiming {
  return {
    answered: a.answered + b.answered,
    answeredMs: a.answeredMs + b.answeredMs,
    leastMs: a.answered === 0 || (b.answered > 0 && b.leastMs < a.leastMs) ? b.leastMs : a.leastMs,
    spread: a.spread.map((n, bucket) => n + (b.spread[bucket] ?? 0)),
    waitedMs: a.waitedMs + b.waitedMs,
  };
}

/**
 * Returns the time (ms) within which that share (0 to 1) of the answers came, accurate to a fifth; undefined where no
 * answer was measured.
 */
export function estimatePercentile(
  { answered, spread }: Readonly<OperationTiming>,
  share: number,
): number | undefined {
  if (answered === 0) return undefined;
  let left = share * answered;
  for (const [bucket, n] of spread.entries()) {
    left -= n;
    if (n > 0 && left <= 0) return upperEdge(bucket);
  }
  return upperEdge(buckets - 1);
}

function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(buckets - 1, Math.ceil(perOctave * Math.log2(ms)));
}

function upperEdge(bucket: number): number {
  return Math.round(2 ** (bucket / perOctave));
}
