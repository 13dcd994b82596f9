import { FatalError } from '../../model/fatal-error.ts';
import type { Outcome } from '../../model/outcome.ts';

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
    next: 'Look into rejects.csv, mend the file or the mapping, then import again.',
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
