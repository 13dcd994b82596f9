import type { RetryMatchCounts } from '../../journal/index.ts';
import { FatalError, type FatalReason, type StopSignal } from '../../model/fatal-error.ts';
import type { RowCounts } from '../../model/outcome.ts';

/** Maps the reason that stopped a run to an exit code; the only place that does (README: exit codes). */
export function getReasonExitCode(reason: FatalReason, signal?: StopSignal): number {
  switch (reason) {
    case 'unexpected':
      return 1;
    case 'usage':
    case 'input':
      return 2;
    case 'budget':
    case 'guard':
    case 'timeout':
      return 4;
    case 'unauthorized':
      return 5;
    case 'locked':
      return 6;
    case 'unreachable':
      return 7;
    case 'interrupted':
      return signal === 'SIGINT' || signal === undefined ? 130 : 143;
  }
}

/**
 * Returns the exit code of a run that came to its end: 3 where rows need manual action, also rows that a retry did
 * not find any more or found changed, and where `more` does: duplicate contacts, an input without its end.
 */
export function getRowsExitCode(
  rows: RowCounts,
  matched: Pick<RetryMatchCounts, 'missing' | 'changed'> | null = null,
  more = 0,
): number {
  const left = more + (matched === null ? 0 : matched.missing + matched.changed);
  return rows.rejected + rows.failed + rows.proposed + rows.stale + rows.uncertain + left > 0 ? 3 : 0;
}

/** Returns the exit code of any thrown error. */
export function getErrorExitCode(error: unknown): number {
  return error instanceof FatalError
    ? getReasonExitCode(error.reason, error.signal)
    : getReasonExitCode('unexpected');
}

/**
 * Returns the exit code where the result could not be written. Without it the rows that need manual action are
 * unknown, so the run was no success; a run that did not come to its end still says why, and what to do.
 */
export function toFailureExitCode(code: number): number {
  return code === 0 || code === 3 ? getReasonExitCode('unexpected') : code;
}
