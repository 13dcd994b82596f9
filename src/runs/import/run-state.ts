import type { RunState } from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import type { RowCounts } from '../../model/outcome.ts';

/** The state that a run ends in; everything but `finished` is continued by the next import of the pipeline. */
export function runState(error: FatalError | undefined, rows: RowCounts): RunState {
  if (error === undefined) return rows.notReached === 0 ? 'finished' : 'stopped';
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}
