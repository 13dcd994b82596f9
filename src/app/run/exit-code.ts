import type { RetryMatchCounts } from '../../journal/index.ts';
import { FatalError, type FatalReason, type StopSignal } from '../../model/fatal-error.ts';
import type { RowCounts } from '../../model/outcome.ts';

/** Maps the reason that stopped a run to an exit code; the only place that does (README: exit codes). */
export function getFatalReasonExitCode(reason: FatalReason, signal?: StopSignal): number {
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
 * Returns the exit code of a completed run: 3 if anything needs manual action, else 0. Manual action is needed for rows
 * with certain outcomes, and for rows that a retry found missing or changed; `more` is the number of other reasons, such
 * as duplicate contacts.
 */
export function getCompletedRunExitCode(
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
    ? getFatalReasonExitCode(error.reason, error.signal)
    : getFatalReasonExitCode('unexpected');
}

/**
 * Returns the exit code of a command whose result could not be written: 1 in place of 0 and 3, because without the
 * result it is not known which rows need manual action. Other codes stay, because their errors were reported.
 */
export function getLostOutputExitCode(code: number): number {
  return code === 0 || code === 3 ? getFatalReasonExitCode('unexpected') : code;
}
