import { hostname } from 'node:os';
import type { Clock } from '../model/ports.ts';
import { nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { insertRow, select, selectCount } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** Stores the session in which this process works on a run; returns the number of the session. */
export function beginSession(file: JournalDatabase, run: number, clock: Clock): number {
  const now = clock.now();
  return insertRow(file, 'session', {
    run,
    started_at: now,
    seen_at: now,
    pid: process.pid,
    host: hostname(),
  });
}

export interface SessionRecord {
  readonly startedAt: number;
  readonly seenAt: number;
  readonly pid: number;
  readonly host: string;
  readonly requests: string;
  /** JSON: read by `parseSessionStatus`; null where an older version wrote the session. */
  readonly now: string | null;
  /** JSON: read by `parsePaceSamples`. */
  readonly pace: string | null;
}

const sessionColumns = {
  startedAt: numberColumn,
  seenAt: numberColumn,
  pid: numberColumn,
  host: textColumn,
  requests: textColumn,
  now: nullableColumn(textColumn),
  pace: nullableColumn(textColumn),
};

/** Returns the sessions of a run, oldest first. */
export function listSessions(file: JournalDatabase, run: number): SessionRecord[] {
  return select(file, sessionColumns)`
    SELECT started_at AS startedAt, seen_at AS seenAt, pid, host, requests, now, pace FROM session
    WHERE run = ${run} ORDER BY number`;
}

/**
 * Returns the number of the last session of an import or undo on the workspace at this place; 0 if there is none. If
 * the number is higher later, the stored records may have changed.
 */
export function readLastSessionNumber(file: JournalDatabase, place: string): number {
  return selectCount(file)`
    SELECT coalesce(max(session.number), 0) AS n FROM session JOIN run ON run.number = session.run
    JOIN workspace ON workspace.number = run.workspace WHERE run.kind IN ('import', 'undo') AND workspace.place = ${place}`;
}
