import { FatalError, type FatalReason } from '../model/fatal-error.ts';
import type { RowCounts } from '../model/outcome.ts';

/** The one place that maps what stopped a run to an exit code (README: exit codes). */
export function exitCodeOf(reason: FatalReason, signal?: 'SIGINT' | 'SIGTERM'): number {
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
      return signal === 'SIGTERM' ? 143 : 130;
  }
}

/** The exit code of a run that came to its end: 3 where a person has to look at rows. */
export function exitCodeOfRows(rows: RowCounts): number {
  return rows.rejected + rows.failed + rows.proposed + rows.stale + rows.uncertain > 0 ? 3 : 0;
}

/** The exit code of whatever was thrown. */
export function exitCodeOfError(error: unknown): number {
  return error instanceof FatalError ? exitCodeOf(error.reason, error.signal) : exitCodeOf('unexpected');
}
