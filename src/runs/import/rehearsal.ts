import { type JournalFile, outcomesBetween, type RunRecord, rowSpan } from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import { type BudgetRow, firstOver, overBudget } from './budget.ts';
import type { ImportRequest } from './request.ts';

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
