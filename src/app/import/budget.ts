import type { InputIndex } from '../../identity/input-index/index.ts';
import {
  hasForgottenPeople,
  type JournalDatabase,
  listRowOutcomes,
  type RunRecord,
  readFinishedItemNumbers,
  readFinishedRowRange,
  readFirstUnfinishedItemNumber,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Outcome } from '../../model/outcome.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import type { ErrorBudgetStop } from '../run/left-behind/left-behind.ts';
import type { ImportRequest, PreparedImport } from './request.ts';

/** The most errors allowed: a share of the started rows (0.05 for `5%`), or a number of rows. */
export type ShareOrRowCount = { readonly share: number } | { readonly rows: number };

/** The number of started rows from which an error share is checked; the share of fewer rows says little. */
export const minRowsForErrorShare = 200;

/** Counts the rejected and failed rows of a session and reports when there are too many (policy.maxErrors). */
export class ErrorBudget {
  readonly #max: ShareOrRowCount;
  #begun = 0;
  #errors = 0;

  constructor(max: ShareOrRowCount) {
    this.#max = max;
  }

  /** Counts a started row. It counts as a row without an error until `add` is given its outcome. */
  begin(): void {
    this.#begun += 1;
  }

  /** Counts the end of a started row. */
  add(outcome: Outcome): void {
    if (isError(outcome)) this.#errors += 1;
  }

  /** Returns a message while the budget is exceeded; undefined while it is not. */
  exceeded(): string | undefined {
    const over =
      'rows' in this.#max
        ? this.#errors > this.#max.rows
        : this.#begun >= minRowsForErrorShare && this.#errors > this.#max.share * this.#begun;
    if (!over) return undefined;
    const allowed = 'rows' in this.#max ? `${this.#max.rows} rows` : `${this.#max.share * 100}%`;
    return `${this.#errors} of ${this.#begun} rows were rejected or failed, more than policy.maxErrors: ${allowed} allows.`;
  }
}

/** The error that a run over its budget stops with. */
export class OverBudgetError extends FatalError {
  readonly stop: ErrorBudgetStop;

  constructor(stop: ErrorBudgetStop) {
    super('budget', stop.message, {
      next: 'Check rejects.csv, fix the file or the mapping, then import again.',
    });
    this.stop = stop;
  }
}

/** The outcome of a row, as the error budget counts it. */
export interface RowOutcomeForBudget {
  readonly seq: number;
  readonly outcome: Outcome;
  /** May be undefined for a row without an error. */
  readonly place?: RowPlace | undefined;
}

/**
 * Returns the row at which the import exceeds its budget (its number in the input, from 0) and the message; undefined
 * where it never does. The rows of one person end together with the last of them, which `lastOf` returns.
 */
export function findBudgetStop(
  max: ShareOrRowCount,
  rows: Iterable<RowOutcomeForBudget>,
  lastOf: (seq: number) => number = (seq) => seq,
): (Pick<RowOutcomeForBudget, 'seq' | 'place'> & { readonly message: string }) | undefined {
  const budget = new ErrorBudget(max);
  const waiting = new Map<number, Outcome[]>();
  for (const { seq, place, outcome } of rows) {
    budget.begin();
    const last = isError(outcome) ? lastOf(seq) : seq;
    if (last > seq) waiting.set(last, [...(waiting.get(last) ?? []), outcome]);
    else budget.add(outcome);
    for (const ended of waiting.get(seq) ?? []) budget.add(ended);
    waiting.delete(seq);
    const message = budget.exceeded();
    if (message !== undefined) return { seq, place, message };
  }
  return undefined;
}

function isError(outcome: Outcome): boolean {
  return outcome === 'rejected' || outcome === 'failed';
}

/** Returns a function that maps a row to the last row of its person; to itself unless duplicates are merged. */
function lastRowOf(index: InputIndex, { duplicates }: Pick<Policy, 'duplicates'>): (seq: number) => number {
  if (duplicates !== 'merge') return (seq) => seq;
  return (seq) => index.groupsBetween(seq, seq + 1).get(seq)?.last ?? seq;
}

type Policy = Pick<LoadedImportPipeline['import']['policy'], 'maxErrors' | 'duplicates'>;

/**
 * Returns the row at which the mapping's rejections alone exceed the error budget (`policy.maxErrors`) of an import of
 * all rows; undefined if they never do.
 */
export function predictBudgetStop(
  policy: Policy,
  index: InputIndex,
  items: number,
): ReturnType<typeof findBudgetStop> {
  return findBudgetStop(policy.maxErrors, inputRows(index, 0, items), lastRowOf(index, policy));
}

function* inputRows(
  index: InputIndex,
  first: number,
  end: number,
  finishedBetween: (from: number, to: number) => ReadonlySet<number> = () => new Set(),
): Generator<RowOutcomeForBudget> {
  for (let from = first; from < end; from += windowSize) {
    const to = Math.min(end, from + windowSize);
    const finished = finishedBetween(from, to);
    const rejected = index.rejectedBetween(from, to);
    for (let seq = from; seq < to; seq += 1) {
      const place = rejected.get(seq);
      if (!finished.has(seq)) yield { seq, place, outcome: place === undefined ? 'created' : 'rejected' };
    }
  }
}

/** The number of rows that are read at once from the index or from the journal. */
const windowSize = 5_000;

/** Returns true if the import writes into the local sandbox: it does not stop at its error budget. */
export function isSandboxImport({ target }: Pick<ImportRequest, 'target'>): boolean {
  return target === 'sandbox';
}

/** Returns the listener for an exceeded error budget: it stops the run; a rehearsal reports it once and continues. */
export function createOverBudgetListener(
  request: ImportRequest,
  halt: (reason: FatalError) => void,
): (stop: ErrorBudgetStop) => void {
  if (!isSandboxImport(request)) return (stop) => halt(new OverBudgetError(stop));
  let isSaid = false;
  return ({ message }) => {
    if (isSaid) return;
    isSaid = true;
    const text = `The real import would stop here: ${message} The rehearsal continues, to show all problems.`;
    request.listen({ kind: 'note', text });
  };
}

/**
 * Returns the row at which the real import would have stopped, by the outcomes that all sessions of an import into the
 * sandbox have recorded. Undefined if it would not have stopped, and for an import into a real workspace.
 */
export function findSandboxBudgetStop({
  request,
  file,
  run,
  index,
}: PreparedImport): ErrorBudgetStop | undefined {
  if (!isSandboxImport(request)) return undefined;
  const { policy } = request.pipeline.import;
  const over = findBudgetStop(policy.maxErrors, endedRows(file, run), lastRowOf(index, policy));
  return over && { row: over.seq + 1, ...(over.place ?? { line: 0 }), message: over.message };
}

function* endedRows(file: JournalDatabase, run: RunRecord): Generator<RowOutcomeForBudget> {
  const { least, greatest } = readFinishedRowRange(file, run.number);
  for (let from = least ?? 0; from <= (greatest ?? -1); from += windowSize) {
    for (const { seq, outcome, ...row } of listRowOutcomes(file, run.number, from, from + windowSize))
      yield { seq, place: normaliseRowPlace(row), outcome };
  }
}

/**
 * Returns the number (from 0) of the first row that this session cannot send; fields and tags that only later rows need
 * are not created. This is `limit` or, if it comes first, the row after the one at which the mapping's rejections alone
 * exceed the error budget (not in a rehearsal). Infinity for selected rows; 0 if the mapping rejects all of them.
 */
export function findFirstUnreachableRowNumber({
  request,
  file,
  run,
  index,
  takesAny,
}: PreparedImport): number {
  // A selected row may take values from any row of its person, so no row is out of reach.
  if (run.selection.kind !== 'all') return takesAny ? Number.POSITIVE_INFINITY : 0;
  // A row of a forgotten person is never an error, so the errors cannot be counted in advance.
  if (isSandboxImport(request) || hasForgottenPeople(file)) return request.limit;
  const { policy } = request.pipeline.import;
  const open = inputRows(index, readFirstUnfinishedItemNumber(file, run.number), run.items, (from, to) =>
    readFinishedItemNumbers(file, run.number, from, to),
  );
  const over = findBudgetStop(policy.maxErrors, open, lastRowOf(index, policy));
  return over === undefined ? request.limit : Math.min(request.limit, over.seq + 1);
}
