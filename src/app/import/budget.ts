import type { InputIndex } from '../../identity/input-index/index.ts';
import {
  finishedBetween,
  firstOpen,
  hasForgotten,
  type JournalFile,
  outcomesBetween,
  type RunRecord,
  rowSpan,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Outcome } from '../../model/outcome.ts';
import { placeOf, type RowPlace } from '../../model/row-place.ts';
import type { LoadedPipeline } from '../../pipeline/index.ts';
import type { BudgetStop } from '../run/left-behind/left-behind.ts';
import type { ImportRequest } from './request.ts';

/** `5%` as a share of the finished rows, or a plain number of rows. */
export type MaxErrors = { readonly share: number } | { readonly rows: number };

/** A share says little about fewer rows. */
export const judgedFrom = 200;

/** Counts rejected and failed rows of this session and says when there are too many (design: policy.maxErrors). */
export class ErrorBudget {
  readonly #max: MaxErrors;
  #begun = 0;
  #errors = 0;

  constructor(max: MaxErrors) {
    this.#max = max;
  }

  /** A row is taken up: until it has ended it counts as one without errors, for a wrong one ends at once. */
  begin(): void {
    this.#begun += 1;
  }

  /** A row that was taken up has ended. */
  add(outcome: Outcome): void {
    if (isError(outcome)) this.#errors += 1;
  }

  /** What is wrong, in a sentence; undefined while there is budget left. */
  exceeded(): string | undefined {
    const over =
      'rows' in this.#max
        ? this.#errors > this.#max.rows
        : this.#begun >= judgedFrom && this.#errors > this.#max.share * this.#begun;
    if (!over) return undefined;
    const allowed = 'rows' in this.#max ? `${this.#max.rows} rows` : `${this.#max.share * 100}%`;
    return `${this.#errors} of ${this.#begun} rows were rejected or failed, more than policy.maxErrors: ${allowed} allows.`;
  }
}

/** The error that a run over its budget stops with. */
export class OverBudget extends FatalError {
  readonly stop: BudgetStop;

  constructor(stop: BudgetStop) {
    super('budget', stop.message, {
      next: 'Check rejects.csv, fix the file or the mapping, then import again.',
    });
    this.stop = stop;
  }
}

/** A row of an import that takes its rows one after the other. */
export interface BudgetRow {
  readonly seq: number;
  readonly outcome: Outcome;
  /** Not known of every row that is no error. */
  readonly place?: RowPlace | undefined;
}

/**
 * The row at which such an import exceeds its budget: its number in the input, 0 being the first, and why. A row whose
 * person has more of them ends with the last, which `lastOf` gives.
 */
export function firstOver(
  max: MaxErrors,
  rows: Iterable<BudgetRow>,
  lastOf: (seq: number) => number = (seq) => seq,
): (Pick<BudgetRow, 'seq' | 'place'> & { readonly message: string }) | undefined {
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

/** What an import ends the rows of one person with. */
function lastRowOf(index: InputIndex, { duplicates }: Pick<Policy, 'duplicates'>): (seq: number) => number {
  if (duplicates !== 'merge') return (seq) => seq;
  return (seq) => index.groupsBetween(seq, seq + 1).get(seq)?.last ?? seq;
}

type Policy = Pick<LoadedPipeline['import']['policy'], 'maxErrors' | 'duplicates'>;

/** The row at which an import of all rows exceeds its budget even if the workspace takes all that are not rejected before. */
export function stopByInput(policy: Policy, index: InputIndex, items: number): ReturnType<typeof firstOver> {
  return firstOver(policy.maxErrors, inputRows(index, 0, items), lastRowOf(index, policy));
}

function* inputRows(
  index: InputIndex,
  first: number,
  end: number,
  finishedBetween: (from: number, to: number) => ReadonlySet<number> = () => new Set(),
): Generator<BudgetRow> {
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

/** How many rows of the journal are read at once. */
const windowSize = 5_000;

/** Whether the import writes into the local workspace, where one run is to show everything that is wrong. */
export function isRehearsal({ target }: Pick<ImportRequest, 'target'>): boolean {
  return target === 'sandbox';
}

/** What exceeding the error budget does: it stops the run; a rehearsal says so once and continues. */
export function whenOverBudget(
  request: ImportRequest,
  halt: (reason: FatalError) => void,
): (stop: BudgetStop) => void {
  if (!isRehearsal(request)) return (stop) => halt(new OverBudget(stop));
  let isSaid = false;
  return ({ message }) => {
    if (isSaid) return;
    isSaid = true;
    const text = `The real import would stop here: ${message} The rehearsal continues, to show all problems.`;
    request.listen({ kind: 'note', text });
  };
}

/** Where the real import would have stopped among the rows that a rehearsal has taken, whatever sessions it had. */
export function realStop(
  request: ImportRequest,
  file: JournalFile,
  { run, index }: Pick<OpenRun, 'run' | 'index'>,
): BudgetStop | undefined {
  if (!isRehearsal(request)) return undefined;
  const { policy } = request.pipeline.import;
  const over = firstOver(policy.maxErrors, endedRows(file, run), lastRowOf(index, policy));
  return over && { row: over.seq + 1, ...(over.place ?? { line: 0 }), message: over.message };
}

function* endedRows(file: JournalFile, run: RunRecord): Generator<BudgetRow> {
  const { least, greatest } = rowSpan(file, run.number);
  for (let from = least ?? 0; from <= (greatest ?? -1); from += windowSize) {
    for (const { seq, outcome, ...row } of outcomesBetween(file, run.number, from, from + windowSize))
      yield { seq, place: placeOf(row), outcome };
  }
}

/** A run that is about to take its rows. */
interface OpenRun {
  readonly run: RunRecord;
  readonly index: InputIndex;
  /** Whether the mapping takes any of the rows that the run is about, as far as this session had to look. */
  readonly takesAny: boolean;
}

/**
 * The end of the rows that a session may send, known before the first of them: what only later rows need is not created
 * yet. It is where --limit ends the session, or where the rows that are rejected whatever the workspace has exceed the
 * error budget even if all others are good: a session takes its rows in the input's order, and never gets further.
 */
export function lastToSend(request: ImportRequest, file: JournalFile, begun: OpenRun): number {
  const { run, index } = begun;
  // A chosen row may get values of any other row of its person.
  if (run.selection.kind !== 'all') return begun.takesAny ? Number.POSITIVE_INFINITY : 0;
  // A row of somebody who was forgotten is no error, whatever else would become of it.
  if (isRehearsal(request) || hasForgotten(file)) return request.limit;
  const { policy } = request.pipeline.import;
  const open = inputRows(index, firstOpen(file, run.number), run.items, (from, to) =>
    finishedBetween(file, run.number, from, to),
  );
  const over = firstOver(policy.maxErrors, open, lastRowOf(index, policy));
  return over === undefined ? request.limit : Math.min(request.limit, over.seq + 1);
}
