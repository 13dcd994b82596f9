import type { Clock } from '../model/ports.ts';
import { numberColumn } from '../storage/columns.ts';
import { selectCount, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { RunRecord } from './run.ts';
import { beginSession } from './session-record.ts';

/**
 * Converts times of earlier sessions to the clock of this one. An earlier session may have run on another machine, so
 * `leftBy` and `onThisClock` use only durations, each measured by the clock of its own session. The time between
 * sessions is left out, so their results are never too early. The work of every session counts, so a wait ends even if
 * it is interrupted again and again.
 */
export interface SessionTimeConverter {
  readonly session: number;
  /** The time (ms) when this session began. */
  readonly begunAt: number;
  /**
   * Returns the time (ms) by which a session had sent all its requests: now for this session; for an earlier one, the
   * start of this session less the time worked between the two; for undefined, the start of this session.
   */
  leftBy(session: number | undefined): number;
  /**
   * Returns the latest time (ms) at which a request that a session recorded at `at` may have been sent: `at` itself for
   * this session. For an earlier one, the earlier of `leftBy` and an hour after `at`, which assumes clocks that agree.
   */
  sentBy(at: number, session: number | undefined): number;
  /** Converts a time (ms), as `session` recorded it, to the clock of this session. */
  onThisClock(at: number, session: number): number;
}

/** More than the time that any request waits between its intent and its sending. */
const longestWaitMs = 60 * 60_000;

/** Begins a session of a run and returns its clock. */
export function beginSessionWithClock(
  file: JournalDatabase,
  run: Pick<RunRecord, 'number' | 'workspace'>,
  clock: Clock,
): SessionTimeConverter {
  const begunAt = clock.now();
  const session = beginSession(file, run.number, clock);
  const between = new Map<number, number>();
  /**
   * Returns the total length (ms) of the sessions of imports and undos of the workspace between session `earlier` and
   * this one.
   */
  const workedSince = (earlier: number): number => {
    const known = between.get(earlier);
    if (known !== undefined) return known;
    const worked = selectCount(file)`
      SELECT coalesce(sum(max(0, session.seen_at - session.started_at)), 0) AS n
      FROM session JOIN run ON run.number = session.run
      WHERE session.number > ${earlier} AND session.number < ${session}
        AND run.workspace = ${run.workspace} AND run.kind <> 'export'`;
    between.set(earlier, worked);
    return worked;
  };
  const leftBy = (earlier: number | undefined): number => {
    if (earlier === session) return clock.now();
    return earlier === undefined ? begunAt : begunAt - workedSince(earlier);
  };
  return {
    session,
    begunAt,
    leftBy,
    sentBy: (at, earlier) => (earlier === session ? at : Math.min(leftBy(earlier), at + longestWaitMs)),
    onThisClock(at, earlier) {
      if (earlier === session) return at;
      const found = selectOne(file, { seenAt: numberColumn })`
        SELECT seen_at AS seenAt FROM session WHERE number = ${earlier}`;
      return begunAt - workedSince(earlier) - Math.max(0, (found?.seenAt ?? at) - at);
    },
  };
}
