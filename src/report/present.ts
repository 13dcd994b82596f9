import { parseSessionStatus, type SessionRecord } from '../journal/index.ts';

/** What a run that is under way does just now, as its process noted it within the last second or so. */
export interface SessionActivity {
  /** Rows in progress; contacts of an export whose messages are still to come. */
  readonly active: number;
  /** Rows that wait until the workspace is ready for them. */
  readonly waiting: number;
  /** Rows per second over the last half minute, contacts and messages of an export; null before there is anything to measure. */
  readonly perSecond: number | null;
  /** Whether that was measured well enough to tell by it how long the rest takes: ten rows in ten seconds at the least. */
  readonly tellsTimeLeft: boolean;
  /** Requests at once that the workspace takes well, as it was found out; null while it is not, and where it is set. */
  readonly concurrency: number | null;
  /** What an export has fetched so far; absent for an import. */
  readonly fetched?: {
    /** Listed. */
    readonly contacts: number;
    /** Read. */
    readonly messages: number;
  };
  /** Why nothing moves; null where things move. */
  readonly waitsFor: {
    /** `paused`: nothing gets through to the workspace. */
    readonly kind: 'waiting' | 'paused';
    /** In words. */
    readonly reason: string;
    /** ISO 8601, UTC; at the latest. */
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
