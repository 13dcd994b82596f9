import { FatalError } from '../../model/fatal-error.ts';
import type { Outcome } from '../../model/outcome.ts';

/** `5%` as a share of the finished rows, or a plain number of rows. */
export type MaxErrors = { readonly share: number } | { readonly rows: number };

/** A share says little about a few rows. */
const judgedFrom = 200;

/** Counts rejected and failed rows of this session and says when there are too many (design: policy.maxErrors). */
export class ErrorBudget {
  readonly #max: MaxErrors;
  #finished = 0;
  #errors = 0;

  constructor(max: MaxErrors) {
    this.#max = max;
  }

  add(outcome: Outcome): void {
    this.#finished += 1;
    if (outcome === 'rejected' || outcome === 'failed') this.#errors += 1;
  }

  /**
   * The error to stop with, or undefined while there is budget left. Rows under way count as rows without errors: a wrong
   * one ends at once, a good one may wait for the workspace.
   */
  exceeded(underWay: number): FatalError | undefined {
    const begun = this.#finished + underWay;
    const over =
      'rows' in this.#max
        ? this.#errors > this.#max.rows
        : begun >= judgedFrom && this.#errors > this.#max.share * begun;
    if (!over) return undefined;
    const allowed = 'rows' in this.#max ? `${this.#max.rows} rows` : `${this.#max.share * 100}%`;
    return new FatalError(
      'budget',
      `${this.#errors} of ${begun} rows were rejected or failed, more than policy.maxErrors: ${allowed} allows.`,
      { next: 'Look into rejects.csv, mend the file or the mapping, then import again.' },
    );
  }
}
