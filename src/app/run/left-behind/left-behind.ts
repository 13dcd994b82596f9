import { toSingleLine } from '../../../model/escape-controls.ts';
import type { LeftBehindGroup } from '../../../model/left-behind.ts';
import type { ProblemCount, ValueCount } from '../../../model/problem.ts';
import { compareRowLines, normaliseRowPlace, type RowPlace } from '../../../model/row-place.ts';
import { type TableUseSummary, unjoinedReasonLabels } from '../../../model/table-use.ts';
import {
  findLossKind,
  isRunLossCode,
  isSeparateRejectionCode,
  type LossKind,
  lossKinds,
  runLossCodes,
} from './kinds.ts';

/**
 * Returns the losses by kind in display order, summed up from counts of problems. `tagged` is the number of contacts
 * whose tags need to be attached by hand; any other number of this kind is one of rows.
 */
export function summariseLosses(losses: readonly ProblemCount[], tagged?: number): LeftBehindGroup[] {
  const found = new Map<LossKind, ProblemCount[]>();
  for (const loss of losses) {
    const kind = findLossKind(loss.code);
    if (kind === undefined || loss.n === 0) continue;
    const same = found.get(kind) ?? [];
    found.set(kind, same);
    same.push(loss);
  }
  return lossKinds.flatMap((kind) => {
    const same = found.get(kind);
    return same === undefined ? [] : [itemOf(kind, same, tagged)];
  });
}

function itemOf(
  kind: LossKind,
  losses: readonly ProblemCount[],
  tagged: number | undefined,
): LeftBehindGroup {
  const n = losses.reduce((sum, loss) => sum + loss.n, 0);
  const [first] = losses.flatMap(({ examples }) => examples).sort((a, b) => compareRowLines(a.line, b.line));
  return {
    kind: kind.kind,
    title: n === tagged ? kind.title : (kind.titleOfRows ?? kind.title),
    n,
    example: first === undefined ? null : { ...normaliseRowPlace(first), text: textOf(first) },
    values: (kind.byField === true ? countByField(losses) : losses.flatMap(({ values = [] }) => values)).map(
      ({ value, n }) => ({ value: toSingleLine(value), n }),
    ),
    file: kind.file,
    fix: kind.fix,
    known: kind.known ?? 'now',
  };
}

/** Returns the fields of the losses with their counts, the most frequent first. */
function countByField(losses: readonly ProblemCount[]): readonly ValueCount[] {
  return losses
    .map(({ code, n }) => ({ value: code.replace(/^customFields\.|\.[^.]*$/g, ''), n }))
    .toSorted((one, other) => other.n - one.n);
}

function textOf({ column, reason }: ProblemCount['examples'][number]): string {
  return toSingleLine([column, reason].filter((part) => part !== null && part !== '').join(': '));
}

/**
 * Returns the losses counted in the rows, completed by what only the first pass over the input knows: values
 * and examples of cells, and losses that are counted for the run.
 */
export function addFirstPassLosses(
  rows: readonly ProblemCount[],
  firstPass: readonly ProblemCount[],
): readonly ProblemCount[] {
  // Tags to attach by hand are counted in contacts: those of fewer contacts are unknown, and may be of any of the rows.
  const isOfOthers = ({ code, n }: ProblemCount) =>
    code === runLossCodes.tagsByHand && rows.some((loss) => loss.code === code && loss.n !== n);
  const before = new Map(firstPass.map((loss) => [loss.code, isOfOthers(loss) ? undefined : loss]));
  const byCode = new Map<string, ProblemCount>();
  for (const loss of rows) {
    const same = byCode.get(loss.code) ?? { ...before.get(loss.code), code: loss.code, n: 0, examples: [] };
    byCode.set(loss.code, {
      ...same,
      ...loss,
      n: same.n + loss.n,
      examples: [...same.examples, ...loss.examples],
    });
  }
  const counted = [...byCode.values()].map((loss) =>
    loss.examples.length > 0 ? loss : { ...loss, examples: before.get(loss.code)?.examples ?? [] },
  );
  return [...counted, ...firstPass.filter(({ code }) => isRunLossCode(code) && !byCode.has(code))];
}

/**
 * Returns the expected losses of an import that has not reached all rows: for each code, the loss counted so far or
 * that of the first pass, whichever count is higher.
 */
export function takeHigherLossCounts(
  rows: readonly ProblemCount[],
  firstPass: readonly ProblemCount[],
): readonly ProblemCount[] {
  const counted = addFirstPassLosses(rows, firstPass);
  const reached = new Map(counted.map(({ code, n }) => [code, n]));
  const more = firstPass.filter(({ code, n }) => n > (reached.get(code) ?? 0));
  const replaced = new Set(more.map(({ code }) => code));
  return [...counted.filter(({ code }) => !replaced.has(code)), ...more];
}

/**
 * Returns the losses as they are stored with a run. In the examples of losses that are counted for rows, and of
 * rejected rows, the reason is emptied, because it may quote a cell; all counted values stay.
 */
export function redactLossExamples(losses: readonly ProblemCount[]): readonly ProblemCount[] {
  return losses.map((loss) => {
    if (isRunLossCode(loss.code) && loss.code !== runLossCodes.rejected) return loss;
    return { ...loss, examples: loss.examples.map((example) => ({ ...example, reason: '' })) };
  });
}

/**
 * Returns `n` rejected rows as losses: one loss for each problem code that is a kind of loss of its own, and one under
 * `code` for all other rows. The values of the latter are the numbers of rows by problem code.
 */
export function listRejectedRowLosses(
  n: number,
  problems: readonly ProblemCount[],
  code: string = runLossCodes.rejected,
): readonly ProblemCount[] {
  const own = problems.filter((problem) => isSeparateRejectionCode(problem.code));
  const others = problems.filter((problem) => !isSeparateRejectionCode(problem.code));
  const values: ValueCount[] = others.map((problem) => ({ value: problem.code, n: problem.n }));
  const rest = n - own.reduce((sum, problem) => sum + problem.n, 0);
  return [
    ...own,
    { code, n: rest, examples: others.flatMap(({ examples }) => examples.slice(0, 1)), values },
  ];
}

/**
 * Returns the losses of the tables: unjoined rows, rows that refer to a missing row of a joined table, and tables that
 * are not read.
 */
export function listJoinLosses(uses: TableUseSummary | null | undefined): readonly ProblemCount[] {
  return [
    ...listUnjoinedRowLosses(uses),
    ...listUnresolvedReferenceLosses(uses),
    ...listUnreadLosses(
      (uses?.others ?? []).flatMap(({ table, rows }) => (rows === 0 ? [] : [{ value: table, n: rows ?? 1 }])),
    ),
  ];
}

/** Returns sheets or tables that are not read, with their numbers of rows where they are known, as one loss. */
export function listUnreadLosses(values: readonly ValueCount[]): readonly ProblemCount[] {
  const n = values.length;
  const sorted = values.toSorted((one, other) => other.n - one.n);
  return n === 0 ? [] : [{ code: runLossCodes.notRead, n, examples: [], values: sorted }];
}

/**
 * Returns the rows of joined tables that belong to no row of the main table as one loss, counted by table;
 * empty if there are none. Unjoined rows of the main table are rejected rows.
 */
function listUnjoinedRowLosses(uses: TableUseSummary | null | undefined): readonly ProblemCount[] {
  const joined = (uses?.named ?? []).filter(({ role }) => role === 'joined');
  const counts = joined.flatMap(({ table, unjoined }) => unjoined.map((count) => ({ table, ...count })));
  const byTable = new Map<string, number>();
  for (const { table, rows } of counts) byTable.set(table, (byTable.get(table) ?? 0) + rows);
  const examples = counts.flatMap(({ table, reason, examples: [first] }) =>
    first === undefined
      ? []
      : [{ line: first.line, column: null, reason: `${table}: ${unjoinedReasonLabels[reason]}` }],
  );
  const values = [...byTable].map(([value, n]) => ({ value, n }));
  const n = values.reduce((sum, each) => sum + each.n, 0);
  return n === 0 ? [] : [{ code: runLossCodes.unjoined, n, examples, values }];
}

/**
 * Returns the rows that refer to a missing row of a joined table as one loss, counted by table; empty if there are
 * none.
 */
function listUnresolvedReferenceLosses(uses: TableUseSummary | null | undefined): readonly ProblemCount[] {
  const counts = (uses?.named ?? []).flatMap(({ table, unresolved }) =>
    unresolved === undefined ? [] : [{ table, ...unresolved }],
  );
  const examples = counts.flatMap(({ table, examples: [first] }) =>
    first === undefined
      ? []
      : [{ line: first.line, column: null, reason: `its row of ${table} is not there` }],
  );
  const values = counts.map(({ table, rows }) => ({ value: table, n: rows }));
  const n = values.reduce((sum, each) => sum + each.n, 0);
  return n === 0 ? [] : [{ code: runLossCodes.unresolved, n, examples, values }];
}

/**
 * Returns the losses with a new loss for the `n` rows that an import does not reach because it stops at the error
 * budget; without a `stop`, adds none. An earlier loss of this kind is removed in both cases. The default of `n` is the
 * number of the input's `rows` after `stop`.
 */
export function addUnreachedRowLosses(
  losses: readonly ProblemCount[],
  stop: ErrorBudgetStop | undefined,
  rows: number,
  n = rows - (stop?.row ?? 0),
): readonly ProblemCount[] {
  const others = losses.filter(({ code }) => code !== runLossCodes.notReached);
  if (stop === undefined) return others;
  const reason = `An import would stop at row ${stop.row}: ${stop.message}`;
  return [
    ...others,
    { code: runLossCodes.notReached, n, examples: [{ ...normaliseRowPlace(stop), column: null, reason }] },
  ];
}

/** The row at which the error budget stops an import, 1 being the first, with the message. */
export interface ErrorBudgetStop extends RowPlace {
  readonly row: number;
  readonly message: string;
}
