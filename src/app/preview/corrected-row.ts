import { compileDayReader, type LoadedMapping } from '../../mapping/index.ts';
import type { Problem } from '../../model/problem.ts';
import type { Cell, Row } from '../../model/row.ts';
import { type Cells, takeCorrectedCells } from '../retry/corrected-rejects.ts';
import { createRowEvaluator, listDroppedValueProblems, type RowVerdict } from './row-verdict.ts';

/** A rejected row of a run, with corrected cells. */
export interface CorrectedRowInput {
  readonly seq: number;
  readonly line: number;
  /** The cells that it had when it was rejected. */
  readonly cells: Cells;
  /** The codes of the problems for which it was rejected. */
  readonly codes: readonly string[];
  /** The corrected cells by column. */
  readonly corrected: Readonly<Record<string, string>>;
}

/** A row with corrected cells, and what a retry would find wrong with it; no problems if it is accepted. */
export interface CheckedRow {
  readonly seq: number;
  readonly problems: readonly Problem[];
}

/** Applies the rules of a mapping to rows with corrected cells, as a retry of them does before it asks the workspace. */
export function checkCorrectedRows(
  loaded: LoadedMapping,
  rows: readonly CorrectedRowInput[],
): readonly CheckedRow[] {
  const evaluate = createRowEvaluator(loaded);
  const daysIn = compileDayReader(loaded.mapping);
  return rows.map(({ seq, line, cells: before, codes, corrected }) => {
    const now = new Map<string, Cell>([...before.map(([column, cell]) => [column, cell ?? ''] as const)]);
    for (const [column, cell] of Object.entries(corrected)) now.set(column, cell);
    const { cells, damage } = takeCorrectedCells(before, [...now], daysIn);
    const found = listProblems(evaluate(toRow(line, new Map(cells))), codes, corrected);
    const others = found.filter(({ column }) => damage.every((each) => each.column !== column));
    return { seq, problems: [...damage, ...others] };
  });
}

/** A list that is no column of the row is read from the input, where a retry finds it again. */
function toRow(line: number, cells: ReadonlyMap<string, Cell>): Row {
  return {
    kind: 'row',
    line,
    cell: (column) => cells.get(column),
    entries: () => [...cells],
    list: (name) => (cells.has(name) ? undefined : []),
  };
}

/**
 * Returns the problems for which a row is rejected, and those of corrected values that would be left out. What only new
 * people need counts where the row was rejected for it: then its person is new.
 */
function listProblems(
  verdict: RowVerdict,
  codes: readonly string[],
  corrected: CorrectedRowInput['corrected'],
): readonly Problem[] {
  if (verdict.kind === 'filtered') return [];
  if (verdict.kind === 'rejected') return verdict.problems;
  return [
    ...verdict.ifNew.filter(({ code }) => codes.includes(code)),
    ...listDroppedValueProblems(verdict.draft).filter(
      ({ column }) => column !== null && Object.hasOwn(corrected, column),
    ),
  ];
}
