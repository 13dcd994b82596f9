import { z } from 'zod';
import type { SessionRecord } from '../journal/index.ts';

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
