import {
  findInputLine,
  type JournalDatabase,
  listRejects,
  listRowsWithHash,
  listRuns,
  listSettledRows,
  type RowRecord,
  type RunRecord,
} from '../../journal/index.ts';
import type { CellCorrections, LostCorrection } from '../wire/decisions.ts';

/** The number of the latest runs among which earlier imports are searched. */
const mostRuns = 100;

/** The corrections of an earlier import of the same pipeline that fit to rows of a run, and those that fit to none. */
interface CarriedCorrections {
  readonly corrections: CellCorrections;
  readonly lost: readonly LostCorrection[];
}

/**
 * Finds the latest earlier import of all rows by the same pipeline that has saved corrections, and returns those that no
 * retry has settled, by the rows of this run with equal content.
 */
export function carryCorrections(
  file: JournalDatabase,
  run: RunRecord,
  savedOf: (run: RunRecord) => CellCorrections | undefined,
): CarriedCorrections {
  const none = { corrections: {}, lost: [] };
  if (run.kind !== 'import' || run.selection.kind !== 'all') return none;
  const before = listRuns(file, mostRuns).find(
    (each) =>
      each.kind === 'import' &&
      each.selection.kind === 'all' &&
      each.pipeline === run.pipeline &&
      each.workspace === run.workspace &&
      each.number < run.number &&
      savedOf(each) !== undefined,
  );
  if (before === undefined) return none;
  const settled = new Set(listSettledRows(file, before.number));
  const corrections: Record<string, CellCorrections[string]> = {};
  const lost: LostCorrection[] = [];
  for (const [seq, cells] of Object.entries(savedOf(before) ?? {})) {
    const row = findRejectedRow(file, before, Number(seq));
    if (row === undefined || settled.has(row.seq)) continue;
    const same = findRowAsItWas(file, run, row, corrections);
    if (same !== undefined) corrections[same] = cells;
    else {
      const line = findInputLine(file, before, row);
      lost.push({ line, sheet: row.sheet, key: row.key, file: before.inputName, cells });
    }
  }
  return { corrections, lost };
}

/** Returns the rejected or failed row with this number; undefined if the run has none. */
export function findRejectedRow(file: JournalDatabase, run: RunRecord, seq: number): RowRecord | undefined {
  const [row] = listRejects(file, run.number, seq - 1, 1);
  return row?.seq === seq ? row : undefined;
}

/**
 * Returns the number of a rejected or failed row of a run that has the same content as a row of an earlier run, and no
 * correction yet.
 */
function findRowAsItWas(
  file: JournalDatabase,
  run: RunRecord,
  { hash }: RowRecord,
  corrected: CellCorrections,
): number | undefined {
  const same = hash === null ? [] : listRowsWithHash(file, run.number, hash);
  return same.find((seq) => corrected[seq] === undefined && findRejectedRow(file, run, seq) !== undefined);
}
