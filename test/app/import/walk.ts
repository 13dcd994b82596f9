import { ErrorBudget, OverBudgetError } from '../../../src/app/import/budget.ts';
import type { ImportContext } from '../../../src/app/import/context.ts';
import { type ImportRowsOptions, importRows } from '../../../src/app/import/rows.ts';
import type { DuplicatesPolicy } from '../../../src/identity/input-index/index.ts';
import type { MatchIdentifierKind } from '../../../src/identity/look-up.ts';
import type { Problem } from '../../../src/model/problem.ts';
import type { SourceItem } from '../../../src/model/row.ts';
import type { Scene } from './context.ts';
import { indexOf, sourceOf } from './input.ts';
import { mapRow } from './simulation/map-row.ts';

/** What a walk through rows does where there is a choice. */
export interface Walk {
  readonly limit?: number;
  readonly maxErrors?: number;
  readonly batch?: number;
  readonly duplicates?: DuplicatesPolicy;
  readonly switchboard?: number;
  /** The items that are taken up; all where nothing is said. */
  readonly selected?: readonly number[];
  readonly settleTags?: ImportRowsOptions['gather']['settleTags'];
}

/** The options of a walk through items from memory. */
export function rowsOptions(
  { stop }: Scene,
  { keep, policy }: ImportContext,
  items: readonly SourceItem[],
  walk: Walk = {},
): ImportRowsOptions {
  const { switchboard = 5, selected = [], batch = 2, maxErrors = 100, duplicates = 'merge' } = walk;
  const index = indexOf(items, { switchboard, selected });
  const identify: readonly MatchIdentifierKind[] = policy.identify;
  const { settleTags = (draft) => ({ ok: true, draft }) } = walk;
  const halt: ImportRowsOptions['stop'] = (reason) => {
    if (!stop.signal.aborted) stop.abort(reason);
  };
  return {
    source: sourceOf(items, batch),
    map: mapRow,
    index,
    takesAll: walk.selected === undefined,
    gather: { index, duplicates, identify, keep, settleTags },
    budget: new ErrorBudget({ rows: maxErrors }),
    limit: walk.limit ?? Number.POSITIVE_INFINITY,
    overBudget: (stop) => halt(new OverBudgetError(stop)),
    stop: halt,
  };
}

/** Walks through items from memory. */
export function walkRows(
  it: Scene,
  context: ImportContext,
  items: readonly SourceItem[],
  walk: Walk = {},
): Promise<void> {
  return importRows(context, it.file, rowsOptions(it, context, items, walk));
}

/** How the rows of a run ended, in order. */
export function outcomesOf({ file }: Scene, { journal }: ImportContext): readonly string[] {
  journal.flush();
  return file
    .prepare<[number], string>('SELECT outcome FROM row WHERE run = ? ORDER BY seq')
    .pluck()
    .all(journal.run.number);
}

/** What is said of the rows of a run, in order. */
export function problemsOf({ file }: Scene, { journal }: ImportContext): readonly Problem[] {
  journal.flush();
  return file
    .prepare<[number], string>('SELECT problems FROM row WHERE run = ? AND problems IS NOT NULL ORDER BY seq')
    .pluck()
    .all(journal.run.number)
    .flatMap((problems) => JSON.parse(problems));
}
