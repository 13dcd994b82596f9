import { hostname } from 'node:os';
import type { Clock } from '../model/ports.ts';
import type { JournalFile } from './open.ts';

/** Opens a session of a run: one process working on it. */
export function beginSession(file: JournalFile, run: number, clock: Clock): number {
  const now = clock.now();
  const { lastInsertRowid } = file
    .prepare('INSERT INTO session (run, started_at, seen_at, pid, host) VALUES (?, ?, ?, ?, ?)')
    .run(run, now, now, process.pid, hostname());
  return Number(lastInsertRowid);
}

export interface SessionRecord {
  readonly startedAt: number;
  readonly seenAt: number;
  readonly pid: number;
  readonly host: string;
  readonly requests: string;
}

export function listSessions(file: JournalFile, run: number): SessionRecord[] {
  return file
    .prepare<[number], SessionRecord>(
      'SELECT started_at AS startedAt, seen_at AS seenAt, pid, host, requests FROM session WHERE run = ? ORDER BY number',
    )
    .all(run);
}

/** The number of the last session that imported into a workspace (by its place): another one since has changed what is remembered. */
export function lastImportSession(file: JournalFile, place: string): number {
  const found = file
    .prepare<[string], { number: number | null }>(
      `SELECT max(session.number) AS number FROM session JOIN run ON run.number = session.run
       JOIN workspace ON workspace.number = run.workspace WHERE run.kind = 'import' AND workspace.place = ?`,
    )
    .get(place);
  return found?.number ?? 0;
}
