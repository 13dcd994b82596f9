import { outcomes, type RowCounts } from '../model/outcome.ts';
import { runSql, selectCount } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { countOpenRows, listRetryChain } from './retry-record.ts';
import type { RunRecord } from './run.ts';
import { countRunRows, listRuns } from './run-record.ts';

/** An old finished run, with counts of its data. */
export interface PrunableRun {
  readonly run: RunRecord;
  readonly rows: number;
  /** Steps that took effect. */
  readonly steps: number;
  /** Rejected, failed and uncertain rows that a retry could still process. */
  readonly open: number;
  readonly proposals: number;
}

/**
 * Returns the runs to prune, oldest first. These are the runs that were not pruned yet and whose whole chain of retries
 * finished before `before` (ms since 1970).
 */
export function listPrunableRuns(file: JournalDatabase, before: number): readonly PrunableRun[] {
  const isOld = ({ state, endedAt }: RunRecord) =>
    state === 'finished' && endedAt !== null && endedAt < before;
  return listRuns(file, Number.MAX_SAFE_INTEGER)
    .filter((run) => isOld(run) && run.pruned === null)
    .filter((run) => listRetryChain(file, run, Number.MAX_SAFE_INTEGER).every(isOld))
    .reverse()
    .map((run) => ({
      run,
      rows: selectCount(file)`SELECT count(*) AS n FROM row WHERE run = ${run.number}`,
      steps: selectCount(file)`SELECT count(*) AS n FROM step WHERE run = ${run.number} AND state = 'acked'`,
      open: countOpenRows(file, run),
      proposals: selectCount(file)`SELECT count(*) AS n FROM proposal WHERE run = ${run.number}`,
    }));
}

/**
 * Deletes the rows, steps and other per-row data of a run. Keeps the run itself, the counts of an import by outcome,
 * and the records of source keys, by which the next import recognises contacts.
 */
export function pruneRun(file: JournalDatabase, run: RunRecord, now: number): void {
  const pruned = JSON.stringify({
    at: now,
    rows: run.kind === 'import' ? outcomeCounts(countRunRows(file, run)) : {},
  });
  for (const table of [
    'row',
    'row_count',
    'step',
    'proposal',
    'question',
    'tagged',
    'counterpart',
    'weak_phone',
    'wait',
  ])
    file.prepare<[number]>(`DELETE FROM ${table} WHERE run = ?`).run(run.number);
  runSql(
    file,
  )`UPDATE run SET pruned = ${pruned}, matched = NULL, left_behind = NULL WHERE number = ${run.number}`;
}

function outcomeCounts(counts: RowCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, counts[outcome]]));
}
