import type { JournalFile } from './open.ts';

/** Which attempts belong together. */
export interface AttemptsOf {
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** On the local workspace: a rehearsal says nothing of the real one. */
  readonly rehearsal: boolean;
}

/** What an attempt came to. */
export interface AttemptRecord {
  readonly exitCode: number;
  readonly endedAt: number;
  /** How many attempts in a row have failed, up to this one. */
  readonly failures: number;
  readonly failingSince: number | null;
}

/** A pipeline whose last attempt has failed. */
export interface FailingPipeline extends Pick<AttemptsOf, 'pipeline' | 'kind'> {
  readonly exitCode: number;
  readonly failures: number;
  readonly failingSince: number;
}

/** Pipelines whose last attempt has failed, as far as they have somebody to tell; rehearsals are left out. */
export function failingPipelines(file: JournalFile): FailingPipeline[] {
  return file
    .prepare<[], FailingPipeline>(
      'SELECT pipeline, kind, exit_code AS exitCode, failures, failing_since AS failingSince FROM attempt WHERE failures > 0 AND rehearsal = 0 ORDER BY failing_since',
    )
    .all();
}

/** Remembers how an attempt ended; returns it with its count of failures, and what the one before came to. */
export function noteAttempt(
  file: JournalFile,
  of: AttemptsOf,
  end: { readonly exitCode: number; readonly endedAt: number; readonly failed: boolean },
): { readonly before: AttemptRecord | undefined; readonly now: AttemptRecord } {
  const key = [of.pipeline, of.kind, of.rehearsal ? 1 : 0] as const;
  const note = file.transaction(() => {
    const before = file
      .prepare<[string, string, number], AttemptRecord>(
        'SELECT exit_code AS exitCode, ended_at AS endedAt, failures, failing_since AS failingSince FROM attempt WHERE pipeline = ? AND kind = ? AND rehearsal = ?',
      )
      .get(...key);
    const { exitCode, endedAt, failed } = end;
    const now: AttemptRecord = {
      exitCode,
      endedAt,
      failures: failed ? (before?.failures ?? 0) + 1 : 0,
      failingSince: failed ? (before?.failingSince ?? endedAt) : null,
    };
    file
      .prepare('INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(...key, now.exitCode, now.endedAt, now.failures, now.failingSince);
    return { before, now };
  });
  return note.immediate();
}
