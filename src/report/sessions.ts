import type { RunRecord, SessionRecord } from '../journal/index.ts';

/** The period (ms since 1970) in which one process worked on a run, and how that session ended. */
export interface SessionSpan {
  readonly from: number;
  /** The end, or the last heartbeat where no end was recorded. */
  readonly to: number;
  readonly pid: number;
  readonly host: string;
  /**
   * For the last session the state of the run. For an earlier one `left` (interrupted or killed), because the journal
   * keeps only the last end.
   */
  readonly end: RunRecord['state'] | 'left';
}

/** A session in the summary of its run. */
export interface SessionSummary {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC. */
  readonly lastSeenAt: string;
  /** The time worked, in seconds. */
  readonly seconds: number;
  /** The process. */
  readonly process: {
    /** The process id. */
    readonly pid: number;
    /** The name of the machine. */
    readonly host: string;
  };
  /** How it ended; `left`: interrupted or killed. */
  readonly end: SessionSpan['end'];
}

/** Returns the sessions of a run in order; only the last one has an end other than `left`. */
export function toSessionSpans(run: RunRecord, sessions: readonly SessionRecord[]): SessionSpan[] {
  return sessions.map((session, index) => {
    const last = index === sessions.length - 1;
    const seen = Math.max(session.startedAt, session.seenAt);
    return {
      from: session.startedAt,
      to: last ? Math.max(seen, run.endedAt ?? 0) : seen,
      pid: session.pid,
      host: session.host,
      end: last ? run.state : 'left',
    };
  });
}

/** Returns the sessions of a run for its summary. */
export function toSessionSummaries(run: RunRecord, sessions: readonly SessionRecord[]): SessionSummary[] {
  return toSessionSpans(run, sessions).map(({ from, to, pid, host, end }) => ({
    startedAt: new Date(from).toISOString(),
    lastSeenAt: new Date(to).toISOString(),
    seconds: (to - from) / 1_000,
    process: { pid, host },
    end,
  }));
}

/** Returns the seconds worked in all sessions together. */
export function sumWorkedSeconds(spans: readonly SessionSpan[]): number {
  return spans.reduce((sum, { from, to }) => sum + (to - from), 0) / 1000;
}
