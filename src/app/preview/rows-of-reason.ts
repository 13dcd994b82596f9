import type { Problem } from '../../model/problem.ts';
import type { Cell, SourceItem } from '../../model/row.ts';

import type { PreviewInput } from './given-input.ts';
import { openInputForMapping, parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';
import { createRowEvaluator, listProblemsWithEffects, type ProblemEffect } from './row-verdict.ts';
import { truncateCell } from './shown-row.ts';

/** The query for a page of rows with a problem and effect, from a given row on. */
export interface ProblemRowsQuery {
  readonly code: string;
  readonly effect: ProblemEffect;
  /** The number of the first row to check, from 0. */
  readonly from: number;
  readonly limit: number;
}

/** A page of rows that have a problem. */
export interface ProblemRowsPage {
  readonly rows: readonly {
    /** Its number in the input, from 0. */
    readonly number: number;
    readonly line: number;
    readonly cells: readonly (readonly [column: string, cell: Cell])[];
    /** The text of a record that is not a row; null for a row. */
    readonly raw: string | null;
    /** The problems that match the query. */
    readonly problems: readonly Problem[];
  }[];
  /** The row that the next page starts with; null where there are no more rows. */
  readonly next: number | null;
}

/** Returns a page of the rows in which a mapping causes the query's problem with the query's effect. */
export async function listPreviewRowsWithProblem(
  given: PreviewInput,
  mapping: UnsavedMapping,
  { code, effect, from, limit }: ProblemRowsQuery,
  signal: AbortSignal,
): Promise<ProblemRowsPage> {
  const { loaded } = parseUnsavedMapping(mapping);
  const judge = createRowEvaluator(loaded);
  const input = await openInputForMapping(given, loaded, signal);
  const rows: ProblemRowsPage['rows'][number][] = [];
  let number = from;
  for await (const items of input.source.read(from, signal)) {
    for (const item of items) {
      const found = listProblemsWithEffects(judge(item)).filter(
        ([does, each]) => does === effect && each.code === code,
      );
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

function cellsOf(item: SourceItem): Pick<ProblemRowsPage['rows'][number], 'cells' | 'raw'> {
  if (item.kind !== 'row') return { cells: [], raw: item.kind === 'broken' ? truncateCell(item.raw) : null };
  return { cells: item.entries().map(([column, cell]) => [column, truncateCell(cell)] as const), raw: null };
}
