import { z } from 'zod';
import type { RunRecord, SessionRecord } from '../journal/index.ts';

/** When one process worked on a run, in ms since 1970, and how it left. */
export interface SessionSpan {
  readonly from: number;
  /** The end, or the last sign of life where there was no word of an end. */
  readonly to: number;
  readonly pid: number;
  readonly host: string;
  /** `left` covers both an interruption and a kill: a later session began, and the journal keeps only the last end. */
  readonly end: RunRecord['state'] | 'left';
}

/** The sessions of a run in order; only the last one can know how the run ended. */
export function sessionSpans(run: RunRecord, sessions: readonly SessionRecord[]): SessionSpan[] {
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

/** Worked in all sessions together, in seconds. */
export function workedSeconds(spans: readonly SessionSpan[]): number {
  return spans.reduce((sum, { from, to }) => sum + (to - from), 0) / 1000;
}

/** What became of the requests of one operation. */
export interface RequestCounts {
  readonly sent: number;
  readonly ok: number;
  /** Sent again after trouble. */
  readonly retried: number;
  /** Answered 429. */
  readonly limited: number;
  /** Answered 449. */
  readonly queued: number;
}

/** By operation, as `GET /contact/{identifier}`. */
export type RequestsByOperation = Readonly<Record<string, RequestCounts>>;

const count = z.number().default(0);
const stored = z.record(
  z.string(),
  z.object({ sent: count, ok: count, retried: count, limited: count, queued: count }),
);

/** The requests of all sessions of a run together; a session whose note cannot be read counts as none. */
export function mergeRequests(sessions: readonly SessionRecord[]): RequestsByOperation {
  const merged = new Map<string, RequestCounts>();
  for (const session of sessions) {
    for (const [operation, counts] of Object.entries(readRequests(session.requests))) {
      const before = merged.get(operation);
      merged.set(operation, before === undefined ? counts : add(before, counts));
    }
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readRequests(json: string): RequestsByOperation {
  const parsed = stored.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : {};
}

function add(a: RequestCounts, b: RequestCounts): RequestCounts {
  return {
    sent: a.sent + b.sent,
    ok: a.ok + b.ok,
    retried: a.retried + b.retried,
    limited: a.limited + b.limited,
    queued: a.queued + b.queued,
  };
}
