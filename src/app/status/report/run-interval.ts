/** The interval at which runs begin, guessed from their start times, and the gaps in which runs are missing. */
export interface RunInterval {
  /** The median interval. */
  readonly everySeconds: number;
  /** The number of start times that the interval is guessed from. */
  readonly times: number;
  /** The start of the last run (ISO 8601, UTC). */
  readonly lastAt: string;
  /** The number of runs that should have begun since `lastAt`; 0 if none is late. */
  readonly late: number;
  /** The gaps with missing runs, newest first. */
  readonly gaps: readonly RunIntervalGap[];
}

/** A gap between two runs in which runs are missing. */
export interface RunIntervalGap {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
  readonly missing: number;
}

/** The maximum number of start times that are used, and the minimum for a guess. */
const [mostTimes, fewestTimes] = [31, 4];
/** Runs at shorter intervals (ms) are considered manual. */
const shortestMs = 45 * 60_000;
/** The tolerated deviation from the median interval, as a share of it. */
const tolerance = 0.25;

/**
 * Estimates the interval of runs from their start times (ms, newest first); null if they are few, irregular or manual.
 */
export function estimateRunInterval(times: readonly number[], now: number): RunInterval | null {
  const [last, ...before] = times.slice(0, mostTimes);
  if (last === undefined || before.length + 1 < fewestTimes) return null;
  const distances = before.map((at, index) => ({ from: at, to: times[index] ?? at }));
  const lengths = distances.map(({ from, to }) => to - from).sort((a, b) => a - b);
  const every = lengths[lengths.length >> 1] ?? 0;
  const isEven = (length: number): boolean => Math.abs(length - every) <= tolerance * every;
  if (every < shortestMs || lengths.filter(isEven).length * 2 < lengths.length) return null;
  return {
    everySeconds: every / 1_000,
    times: before.length + 1,
    lastAt: iso(last),
    late: Math.max(0, Math.floor((now - last) / every - tolerance)),
    gaps: distances
      .map(({ from, to }) => ({
        from: iso(from),
        to: iso(to),
        missing: Math.round((to - from) / every) - 1,
      }))
      .filter(({ missing }) => missing > 0),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
