import type { Problem } from '../../model/problem.ts';
import type { Cell, SourceItem } from '../../model/row.ts';

import type { GivenInput } from './given-input.ts';
import { type MappingText, openFor, parseUnsaved } from './mapping-text.ts';
import { type Effect, judgeRows, problemsOf } from './row-verdict.ts';
import { shownCell } from './shown-row.ts';

/** Which rows are wanted: those with a problem, from a row on. */
export interface ReasonPage {
  readonly code: string;
  readonly effect: Effect;
  /** The number of the first row that is looked at, 0 being the first of the input. */
  readonly from: number;
  readonly limit: number;
}

/** Rows that have a problem. */
export interface RowsOfReason {
  readonly rows: readonly {
    /** Its number in the input, 0 being the first. */
    readonly number: number;
    readonly line: number;
    readonly cells: readonly (readonly [column: string, cell: Cell])[];
    /** How a record that is no row is written. */
    readonly raw: string | null;
    /** Those that are asked for. */
    readonly problems: readonly Problem[];
  }[];
  /** Where the next page begins; null where there are no more rows. */
  readonly next: number | null;
}

/** A page of the rows that a mapping rejects, or takes a value out of, for one reason. */
export async function rowsOfReason(
  given: GivenInput,
  mapping: MappingText,
  { code, effect, from, limit }: ReasonPage,
  signal: AbortSignal,
): Promise<RowsOfReason> {
  const { loaded } = parseUnsaved(mapping);
  const judge = judgeRows(loaded);
  const input = await openFor(given, loaded, signal);
  const rows: RowsOfReason['rows'][number][] = [];
  let number = from;
  for await (const items of input.source.read(from, signal)) {
    for (const item of items) {
      const found = problemsOf(judge(item)).filter(([does, each]) => does === effect && each.code === code);
      if (found.length > 0) {
        if (rows.length === limit) return { rows, next: number };
        rows.push({
          number,
          line: item.line,
          ...cellsOf(item),
          problems: found.map(([, problem]) => problem),
        });
      }
      number += 1;
    }
  }
  return { rows, next: null };
}

function cellsOf(item: SourceItem): Pick<RowsOfReason['rows'][number], 'cells' | 'raw'> {
  if (item.kind !== 'row') return { cells: [], raw: item.kind === 'broken' ? shownCell(item.raw) : null };
  return { cells: item.entries().map(([column, cell]) => [column, shownCell(cell)] as const), raw: null };
}
