import { type OperationRequestCounts, parseRequestCounts, type SessionRecord } from '../journal/index.ts';
import { estimatePercentile, mergeTimings, type OperationTiming } from '../model/timing.ts';

/** How long the answers took, in milliseconds. */
export interface LatencyStats {
  /** The number of measured answers; those with 429 (too many requests) are not measured. */
  readonly answers: number;
  /** The mean of the answer times. */
  readonly mean: number;
  /** The time of the fastest answer. */
  readonly least: number;
  /** Half of the answers took at most this long. */
  readonly p50: number;
  /** 95% of the answers took at most this long. */
  readonly p95: number;
  /** 99% of the answers took at most this long. */
  readonly p99: number;
}

/** The requests of one operation, counted by their results. */
export interface RequestStats {
  readonly sent: number;
  readonly ok: number;
  /** Sent again after a failure. */
  readonly retried: number;
  /** Answered 429. */
  readonly limited: number;
  /** Answered 449. */
  readonly queued: number;
  /** How long the answers took; absent where nothing was measured. */
  readonly latency?: LatencyStats;
  /** The time that all calls together waited for the rate limit (s); absent where nothing was measured. */
  readonly waitedSeconds?: number;
}

/** The counts of requests by operation, such as `GET /contact/{identifier}`. */
export type RequestStatsByOperation = Readonly<Record<string, RequestStats>>;

/**
 * Returns the sums over all sessions of a run; a session whose record cannot be read counts as one without
 * requests.
 */
export function mergeRequestStats(sessions: readonly SessionRecord[]): RequestStatsByOperation {
  const merged = new Map<string, OperationRequestCounts>();
  for (const session of sessions) {
    for (const [operation, counts] of Object.entries(parseRequestCounts(session.requests))) {
      const before = merged.get(operation);
      merged.set(operation, before === undefined ? counts : add(before, counts));
    }
  }
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([operation, counts]) => [operation, told(counts)]));
}

function add(a: OperationRequestCounts, b: OperationRequestCounts): OperationRequestCounts {
  const timing = a.timing && b.timing ? mergeTimings(a.timing, b.timing) : (a.timing ?? b.timing);
  return {
    sent: a.sent + b.sent,
    ok: a.ok + b.ok,
    retried: a.retried + b.retried,
    limited: a.limited + b.limited,
    queued: a.queued + b.queued,
    ...(timing && { timing }),
  };
}

function told({ timing, ...counts }: OperationRequestCounts): RequestStats {
  if (timing === undefined) return counts;
  const latency = latencyOf(timing);
  return { ...counts, ...(latency && { latency }), waitedSeconds: timing.waitedMs / 1_000 };
}

function latencyOf(timing: OperationTiming): LatencyStats | undefined {
  const within = (share: number) => estimatePercentile(timing, share);
  const [p50, p95, p99] = [within(0.5), within(0.95), within(0.99)];
  if (p50 === undefined || p95 === undefined || p99 === undefined) return undefined;
  const { answered, answeredMs, leastMs } = timing;
  return { answers: answered, mean: Math.round(answeredMs / answered), least: leastMs, p50, p95, p99 };
}
