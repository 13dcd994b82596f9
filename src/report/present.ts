import { parseSessionStatus, type SessionRecord } from '../journal/index.ts';

/**
 * The activity of a run that is under way, as its process last recorded it, usually within the last second.
 */
export interface SessionActivity {
  /** Rows in progress; for an export, contacts whose messages are still to be read. */
  readonly active: number;
  /** Rows that wait until the workspace is ready for them. */
  readonly waiting: number;
  /**
   * Rows (for an export: contacts and messages) per second over the last half minute; null while nothing was
   * measured.
   */
  readonly perSecond: number | null;
  /**
   * True if `perSecond` was measured long enough to estimate the time left: over at least ten rows and ten
   * seconds.
   */
  readonly tellsTimeLeft: boolean;
  /**
   * The limit of concurrent requests, if it adapts to the workspace; null before a first limit is found, and if the
   * pipeline sets a fixed one.
   */
  readonly concurrency: number | null;
  /** What an export has fetched so far; absent for an import. */
  readonly fetched?: {
    /** Contacts listed. */
    readonly contacts: number;
    /** Messages read. */
    readonly messages: number;
  };
  /** The reason why the run makes no progress; null while it makes some. */
  readonly waitsFor: {
    /** `paused`: the workspace cannot be reached; `waiting`: any other reason. */
    readonly kind: 'waiting' | 'paused';
    /** The reason in words. */
    readonly reason: string;
    /** The time at which the wait ends at the latest (ISO 8601, UTC); the run then continues, or stops. */
    readonly until: string;
  } | null;
}

/** Returns the current activity of a session; null where it has recorded none, as in older versions. */
export function readSessionActivity(session: SessionRecord | undefined): SessionActivity | null {
  const now = parseSessionStatus(session?.now ?? null);
  if (now === undefined) return null;
  const { active, waiting, perSecond, tellsTimeLeft, concurrency, fetched, waitsFor } = now;
  return {
    ...{ active, waiting, perSecond, tellsTimeLeft, concurrency },
    ...(fetched && { fetched }),
    waitsFor: waitsFor === undefined ? null : { ...waitsFor, until: new Date(waitsFor.until).toISOString() },
  };
}

/**
 * Returns the seconds that `rest` rows take at the current rate; null while the run waits, or where the rate is not
 * reliable.
 */
export function estimateSecondsLeft(rest: number, present: SessionActivity | null): number | null {
  const { perSecond = null, tellsTimeLeft = false, waitsFor = null } = present ?? {};
  if (perSecond === null || perSecond <= 0 || !tellsTimeLeft || waitsFor !== null) return null;
  return Math.ceil(rest / perSecond);
}
