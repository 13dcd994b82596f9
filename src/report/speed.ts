import {
  type PaceSample,
  parsePaceSamples,
  parseSessionStatus,
  type SessionRecord,
} from '../journal/index.ts';
import type { RequestStatsByOperation } from './requests.ts';

/** How fast a run was, and how much of the rate limit it used. */
export interface SpeedStats {
  /** Rows per minute in the fastest interval; null where nothing was measured. */
  readonly peakRowsPerMinute: number | null;
  /**
   * The number of calls that waited for the rate limit at the same time, averaged over the interval with the
   * most.
   */
  readonly peakWaiting: number;
  /** Requests per second that the limit allows on one method and path; null where no session recorded it. */
  readonly limitPerSecond: number | null;
  /**
   * The last limit of concurrent requests, if it adapts to the workspace; null if no session found one, for example
   * because the pipeline sets a fixed one.
   */
  readonly concurrency: number | null;
  /** The use of the rate limit, by operation. */
  readonly use: Readonly<Record<string, RateLimitUse>>;
}

export interface RateLimitUse {
  /** Requests per second, on average over the time worked. */
  readonly perSecond: number;
  /**
   * The used share of the limit (0 to 1); null if the limit is unknown, or if the path has a parameter, because each
   * value of it has its own limit.
   */
  readonly share: number | null;
}

/** An interval of work; its times count only work, not the time between two sessions. */
export interface PaceInterval {
  /** The start, in ms of work since the run began. */
  readonly from: number;
  /** The end, in ms of work since the run began. */
  readonly to: number;
  /** Rows (for an export: contacts and messages) per minute, on average. */
  readonly rowsPerMinute: number;
  /** The number of calls that waited for the rate limit at the same time, on average. */
  readonly waiting: number;
}

/** The minimum length of an interval in ms; only a whole session may be shorter. */
const leastMs = 500;

/** Returns the speed of a run, from the samples of its sessions and from its requests in the `seconds` worked. */
export function summariseSpeed(
  sessions: readonly SessionRecord[],
  requests: RequestStatsByOperation,
  seconds: number,
): SpeedStats {
  const stretches = computePaceIntervals(sessions);
  const said = sessions.map(({ now }) => parseSessionStatus(now));
  const perPath = said.findLast((now) => now?.perPath !== undefined)?.perPath;
  const limit = perPath === undefined ? null : (perPath.count * 1_000) / perPath.ms;
  const use = Object.entries(requests).map(([operation, { sent }]): readonly [string, RateLimitUse] => {
    const perSecond = seconds > 0 ? sent / seconds : 0;
    const isOneBucket = !operation.includes('{');
    return [
      operation,
      { perSecond, share: limit !== null && isOneBucket ? Math.min(1, perSecond / limit) : null },
    ];
  });
  return {
    peakRowsPerMinute:
      stretches.length === 0 ? null : Math.max(...stretches.map(({ rowsPerMinute }) => rowsPerMinute)),
    peakWaiting: Math.max(0, ...stretches.map(({ waiting }) => waiting)),
    limitPerSecond: limit,
    concurrency: said.findLast((now) => now !== undefined && now.concurrency !== null)?.concurrency ?? null,
    use: Object.fromEntries(use),
  };
}

/** Returns the intervals of all sessions in order, without the time between sessions. */
export function computePaceIntervals(sessions: readonly SessionRecord[]): PaceInterval[] {
  let before = 0;
  return sessions.flatMap(({ pace, startedAt, seenAt }) => {
    const offset = before;
    before += Math.max(0, seenAt - startedAt);
    const samples = spaced(parsePaceSamples(pace));
    return samples.slice(1).flatMap((sample, index) => between(samples[index], sample, offset));
  });
}

/**
 * Removes each sample that another one follows within `leastMs`, because a few rows in a few ms give no useful rate.
 * The first sample stays.
 */
function spaced(samples: readonly PaceSample[]): PaceSample[] {
  const kept: PaceSample[] = [];
  for (const sample of samples) {
    const last = kept.at(-1);
    if (kept.length > 1 && last !== undefined && sample.at - last.at < leastMs) kept.pop();
    kept.push(sample);
  }
  return kept;
}

function between(first: PaceSample | undefined, last: PaceSample, offset: number): PaceInterval[] {
  const ms = last.at - (first?.at ?? 0);
  if (first === undefined || ms <= 0) return [];
  return [
    {
      from: offset + first.at,
      to: offset + last.at,
      rowsPerMinute: ((last.done - first.done) * 60_000) / ms,
      waiting: (last.waitedMs - first.waitedMs) / ms,
    },
  ];
}
