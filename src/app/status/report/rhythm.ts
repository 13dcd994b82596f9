/** How often something has begun so far, as far as its times show it. */
export interface RunRhythm {
  /** From one to the next: the median. */
  readonly everySeconds: number;
  /** How many times that was guessed from. */
  readonly times: number;
  /** ISO 8601, UTC. */
  readonly lastAt: string;
  /** How many should have begun since; 0 where none is late. */
  readonly late: number;
  /** Where some did not come, newest first. */
  readonly gaps: readonly RhythmGap[];
}

/** Times that did not come between two that did. */
export interface RhythmGap {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
  readonly missing: number;
}

/** So many times are looked at, and with fewer nothing is guessed. */
const [mostTimes, fewestTimes] = [31, 4];
/** What comes more often than this is done by hand. */
const shortestMs = 45 * 60_000;
/** So much of a distance may one be late, or off. */
const tolerance = 0.25;

/** Guesses a rhythm from times (ms, newest first); null where there are few, or they have none. */
export function guessRhythm(times: readonly number[], now: number): RunRhythm | null {
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
