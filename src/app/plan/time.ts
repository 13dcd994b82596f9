import {
  type ConcurrencySetting,
  estimateDurationOfRequests,
  toMaxConcurrency,
} from '../../workspace/index.ts';
import type { PlanFacts } from '../run/plan-file.ts';
import type { ImportTimeEstimate } from './plan-schema.ts';

/** The limits of a pipeline, and the measurements of earlier imports into the workspace. */
export interface ImportTimingInput {
  /** The limit of requests per second for each method and path. */
  readonly perPath: number;
  readonly concurrency: ConcurrencySetting;
  /** The number of concurrent requests that earlier runs found best; undefined if no run has measured it. */
  readonly found?: number | undefined;
  /** Empty if no import was timed yet. */
  readonly latencies: LatencyByRequest;
}

/** The latencies of requests by method and path template; requests without a measurement are absent. */
export type LatencyByRequest = ReadonlyMap<string, RequestLatency>;

/** The mean and least latency of a request in milliseconds, and the number of answers timed. */
export interface RequestLatency {
  readonly mean: number;
  readonly least: number;
  readonly answers: number;
}

interface Counted {
  readonly request: string;
  readonly count: number;
  readonly perhaps?: number;
}

const enough = 50;

/**
 * Returns the latencies to expect now; empty without earlier measurements. A request timed at least 50 times in
 * `timedNow` gets that latency; any other gets its earlier one, scaled by the mean change of the requests timed at
 * least 50 times in both.
 */
export function predictLatencies(earlier: LatencyByRequest, timedNow: LatencyByRequest): LatencyByRequest {
  if (earlier.size === 0) return earlier;
  const ratios = [...timedNow].flatMap(([request, now]) => {
    const before = earlier.get(request);
    const isTold = before !== undefined && before.answers >= enough && now.answers >= enough;
    return isTold ? [now.mean / before.mean] : [];
  });
  const ratio = ratios.length === 0 ? 1 : ratios.reduce((sum, each) => sum + each, 0) / ratios.length;
  const scaled = [...earlier].map(([request, was]) => [request, { ...was, mean: was.mean * ratio }] as const);
  const reads = [...timedNow].filter(([, { answers }]) => answers >= enough);
  return new Map([...scaled, ...reads]);
}

/** The factor by which the client stays below the rate limit, so that jitter cannot push it over the limit. */
const margin = 1.06;

/** Returns true if the template has no identifier, so that all its requests have the same path and share its limit. */
function isShared(request: string): boolean {
  return !request.includes('{');
}

/** Returns the seconds that requests take at the rate limit of their path; 0 where each contact has its own path. */
export function computeSecondsAtRateLimit({ request, count, perhaps = 0 }: Counted, perPath: number): number {
  return isShared(request) ? secondsAtRate(count + perhaps, perPath) : 0;
}

function secondsAtRate(n: number, perPath: number): number {
  return Math.max(0, n - perPath) / perPath;
}

/**
 * Estimates the time of an import from its planned requests. The likely time is the time until the first row, plus the
 * longest of these: the time at the rate limit of one path, the time spent waiting for the answers to concurrent
 * requests, and the computing time of this machine.
 */
export function estimateImportTime(
  writes: readonly Counted[],
  reads: readonly Counted[],
  facts: Pick<PlanFacts, 'busyMs' | 'beginMs' | 'sentReads'>,
  { perPath, concurrency, found, latencies }: ImportTimingInput,
): ImportTimeEstimate {
  const all = [...writes, ...reads];
  const limited = all.filter(({ request }) => isShared(request));
  const atRate = (n: number, stretch = 1) => secondsAtRate(n, perPath) * stretch;
  const slowest = limited.reduce<Counted>((most, each) => (likely(each) > likely(most) ? each : most), {
    request: '',
    count: 0,
  });
  const requests = all.reduce((sum, each) => sum + likely(each), 0);
  const waited = (pick: keyof RequestLatency, n: (each: Counted) => number) =>
    all.reduce((sum, each) => sum + n(each) * (latencies.get(each.request)?.[pick] ?? 0), 0);
  const certain = ({ count }: Counted) => count;
  const leastWaited = waited('least', certain) / 1_000 / toMaxConcurrency(concurrency);
  const meanMs = waited('mean', likely) / Math.max(1, requests);
  const parts = [
    { kind: 'rate', seconds: atRate(likely(slowest), margin) },
    {
      kind: 'latency',
      seconds: estimateDurationOfRequests({ requests, meanMs }, concurrency, found) / 1_000,
    },
    { kind: 'machine', seconds: machineMs(requests, facts) / 1_000 },
  ] as const;
  const longest = parts.reduce((most, part) => (part.seconds > most.seconds ? part : most));
  return {
    leastSeconds: Math.max(...limited.map(({ count }) => atRate(count)), leastWaited, 0),
    likelySeconds: latencies.size === 0 ? null : facts.beginMs / 1_000 + longest.seconds,
    bottleneck: {
      kind: longest.kind,
      request: longest.kind === 'rate' ? slowest.request : null,
      requests: longest.kind === 'rate' ? likely(slowest) : requests,
    },
  };
}

/** The computing time of a request that is sent, relative to one that the plan answers itself. */
const sentTakes = 2.7;

/**
 * Returns the computing time of the import in milliseconds: that of the planning, scaled as if every request were sent.
 */
function machineMs(requests: number, { busyMs, sentReads }: Pick<PlanFacts, 'busyMs' | 'sentReads'>): number {
  const planned = requests + sentReads * (sentTakes - 1);
  return planned === 0 ? busyMs : busyMs * Math.max(1, (requests * sentTakes) / planned);
}

/** Returns the expected number of requests; a request that is only perhaps needed counts as half. */
function likely({ count, perhaps = 0 }: Counted): number {
  return count + perhaps / 2;
}
