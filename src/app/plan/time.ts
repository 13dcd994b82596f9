import { type ConcurrencySetting, estimateRequestTime, toMaxConcurrency } from '../../workspace/index.ts';
import type { PlanFacts } from '../run/plan-file.ts';
import type { PlannedTime } from './plan-schema.ts';

/** What a pipeline allows, and what earlier imports into the workspace measured. */
export interface RequestPace {
  /** Requests a second for each method and path. */
  readonly perPath: number;
  readonly concurrency: ConcurrencySetting;
  /** Requests at once that the workspace took well; undefined where nobody has found out. */
  readonly found?: number | undefined;
  /** By method and path template; empty where no import was timed yet. */
  readonly latencies: Latencies;
}

/** By method and path template; one that nobody measured is absent. */
export type Latencies = ReadonlyMap<string, Latency>;

/** What answers took (ms), and how many of them were timed. */
export interface Latency {
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
 * What answers take now: reads as the plan itself has timed them; writes as earlier imports did, as much faster or slower
 * as reads are now.
 */
export function presentLatencies(earlier: Latencies, timedNow: Latencies): Latencies {
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

/** The client keeps a little below the limit, so that jitter on the way cannot exceed it. */
const margin = 1.06;

/** Whether requests of a template have one path, and so share one limit: those without a contact in it. */
function isShared(request: string): boolean {
  return !request.includes('{');
}

/** How long requests take at the rate limit of their path; none where each contact has a path of its own. */
export function secondsAtLimit({ request, count, perhaps = 0 }: Counted, perPath: number): number {
  return isShared(request) ? secondsAtRate(count + perhaps, perPath) : 0;
}

function secondsAtRate(n: number, perPath: number): number {
  return Math.max(0, n - perPath) / perPath;
}

/**
 * How long the requests of a plan take. A shared path lets `perPath` a second through; the others wait for answers only,
 * as many of them at a time as there may be; and this machine takes a while for each.
 */
export function estimatePlanTime(
  writes: readonly Counted[],
  reads: readonly Counted[],
  facts: Pick<PlanFacts, 'busyMs' | 'beginMs' | 'sentReads'>,
  { perPath, concurrency, found, latencies }: RequestPace,
): PlannedTime {
  const all = [...writes, ...reads];
  const limited = all.filter(({ request }) => isShared(request));
  const atRate = (n: number, stretch = 1) => secondsAtRate(n, perPath) * stretch;
  const slowest = limited.reduce<Counted>((most, each) => (likely(each) > likely(most) ? each : most), {
    request: '',
    count: 0,
  });
  const requests = all.reduce((sum, each) => sum + likely(each), 0);
  const waited = (pick: keyof Latency, n: (each: Counted) => number) =>
    all.reduce((sum, each) => sum + n(each) * (latencies.get(each.request)?.[pick] ?? 0), 0);
  const certain = ({ count }: Counted) => count;
  const leastWaited = waited('least', certain) / 1_000 / toMaxConcurrency(concurrency);
  const meanMs = waited('mean', likely) / Math.max(1, requests);
  const parts = [
    { kind: 'rate', seconds: atRate(likely(slowest), margin) },
    { kind: 'latency', seconds: estimateRequestTime({ requests, meanMs }, concurrency, found) / 1_000 },
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

/** How long this machine is busy with a request that is sent, where it is 1 with one that the plan answers itself. */
const sentTakes = 2.7;

/** How long the import keeps this machine busy: as planning did, but every request is sent. */
function machineMs(requests: number, { busyMs, sentReads }: Pick<PlanFacts, 'busyMs' | 'sentReads'>): number {
  const planned = requests + sentReads * (sentTakes - 1);
  return planned === 0 ? busyMs : busyMs * Math.max(1, (requests * sentTakes) / planned);
}

/** Half of what may be needed is. */
function likely({ count, perhaps = 0 }: Counted): number {
  return count + perhaps / 2;
}
