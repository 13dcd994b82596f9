import type { InputIndex } from '../../identity/input-index.ts';
import {
  finishedBetween,
  firstOpen,
  type JournalFile,
  outcomesBetween,
  type RunRecord,
  rowSpan,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ImportRequest } from './request.ts';

/** `5%` as a share of the finished rows, or a plain number of rows. */
export type MaxErrors = { readonly share: number } | { readonly rows: number };

/** A share says little about a few rows. */
const judgedFrom = 200;

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
    if (outcome === 'rejected' || outcome === 'failed') this.#errors += 1;
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
export function overBudget(message: string): FatalError {
  return new FatalError('budget', message, {
    next: 'Check rejects.csv, fix the file or the mapping, then import again.',
  });
}

/** A row of an import that takes its rows one after the other. */
export interface BudgetRow {
  readonly seq: number;
  readonly outcome: Outcome;
}

/** The row at which such an import exceeds its budget: its number in the input, 0 being the first, and why. */
export function firstOver(
  max: MaxErrors,
  rows: Iterable<BudgetRow>,
): { readonly seq: number; readonly message: string } | undefined {
  const budget = new ErrorBudget(max);
  for (const { seq, outcome } of rows) {
    budget.begin();
    budget.add(outcome);
    const message = budget.exceeded();
    if (message !== undefined) return { seq, message };
  }
  return undefined;
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
): (message: string) => void {
  if (!isRehearsal(request)) return (message) => halt(overBudget(message));
  let isSaid = false;
  return (message) => {
    if (isSaid) return;
    isSaid = true;
    const text = `The real import would stop here: ${message} The rehearsal continues, to show all problems.`;
    request.listen({ kind: 'note', text });
  };
}

/** Where the real import would have stopped among the rows that a rehearsal has taken, whatever sessions it had. */
export function realStop(request: ImportRequest, file: JournalFile, run: RunRecord): string | undefined {
  if (!isRehearsal(request)) return undefined;
  const over = firstOver(request.pipeline.import.policy.maxErrors, endedRows(file, run));
  return over && `The real import would stop at row ${over.seq + 1}: ${over.message}`;
}

function* endedRows(file: JournalFile, run: RunRecord): Generator<BudgetRow> {
  const { least, greatest } = rowSpan(file, run.number);
  for (let from = least ?? 0; from <= (greatest ?? -1); from += windowSize) {
    yield* outcomesBetween(file, run.number, from, from + windowSize);
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
 * yet. It is where --limit ends the session, or where the rows that the mapping rejects exceed the error budget even if
 * all others are good: a session takes its rows in the input's order, and never gets further.
 */
export function lastToSend(request: ImportRequest, file: JournalFile, begun: OpenRun): number {
  // A chosen row may get values of any other row of its person.
  if (begun.run.selection.kind !== 'all') return begun.takesAny ? Number.POSITIVE_INFINITY : 0;
  if (isRehearsal(request)) return request.limit;
  const over = firstOver(request.pipeline.import.policy.maxErrors, openRows(file, begun));
  return over === undefined ? request.limit : Math.min(request.limit, over.seq + 1);
}

function* openRows(file: JournalFile, { run, index }: OpenRun): Generator<BudgetRow> {
  for (let from = firstOpen(file, run.number); from < run.items; from += windowSize) {
    const to = Math.min(run.items, from + windowSize);
    const finished = finishedBetween(file, run.number, from, to);
    const rejected = index.rejectedBetween(from, to);
    for (let seq = from; seq < to; seq += 1) {
      if (!finished.has(seq)) yield { seq, outcome: rejected.has(seq) ? 'rejected' : 'created' };
    }
  }
}
