import { enumColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { replaceRow, select, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** Identifies the attempts whose consecutive failures are counted together. */
export interface AttemptKey {
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** True for attempts on the local workspace, whose failures are counted separately. */
  readonly rehearsal: boolean;
}

/** The result of an attempt, with the count of failures. */
export interface AttemptRecord {
  readonly exitCode: number;
  readonly endedAt: number;
  /** The number of consecutive failed attempts, up to this one. */
  readonly failures: number;
  readonly failingSince: number | null;
}

/** A pipeline whose last attempt has failed. */
export interface FailingPipeline extends Pick<AttemptKey, 'pipeline' | 'kind'> {
  readonly exitCode: number;
  readonly failures: number;
  readonly failingSince: number;
}

const failing = {
  pipeline: textColumn,
  kind: enumColumn(['import', 'export']),
  exitCode: numberColumn,
  failures: numberColumn,
  failingSince: numberColumn,
};

/** Returns the pipelines whose last attempt failed; rehearsals do not count. */
export function listFailingPipelines(file: JournalDatabase): FailingPipeline[] {
  return select(file, failing)`
    SELECT pipeline, kind, exit_code AS exitCode, failures, failing_since AS failingSince FROM attempt
    WHERE failures > 0 AND rehearsal = 0 ORDER BY failing_since`;
}

const attempt = {
  exitCode: numberColumn,
  endedAt: numberColumn,
  failures: numberColumn,
  failingSince: nullableColumn(numberColumn),
};

/**
 * Records the result of an attempt. Returns the new record (`now`) and the record of the previous attempt (`before`),
 * each with its count of failures.
 */
export function recordAttempt(
  file: JournalDatabase,
  { pipeline, kind, rehearsal: isRehearsal }: AttemptKey,
  { exitCode, endedAt, failed }: Pick<AttemptRecord, 'exitCode' | 'endedAt'> & { readonly failed: boolean },
): { readonly before: AttemptRecord | undefined; readonly now: AttemptRecord } {
  const rehearsal = isRehearsal ? 1 : 0;
  const note = file.transaction(() => {
    const before = selectOne(file, attempt)`
      SELECT exit_code AS exitCode, ended_at AS endedAt, failures, failing_since AS failingSince FROM attempt
      WHERE pipeline = ${pipeline} AND kind = ${kind} AND rehearsal = ${rehearsal}`;
    const failures = failed ? (before?.failures ?? 0) + 1 : 0;
    const failingSince = failed ? (before?.failingSince ?? endedAt) : null;
    const end = { exit_code: exitCode, ended_at: endedAt, failures, failing_since: failingSince };
    replaceRow(file, 'attempt', { pipeline, kind, rehearsal, ...end });
    return { before, now: { exitCode, endedAt, failures, failingSince } };
  });
  return note.immediate();
}
