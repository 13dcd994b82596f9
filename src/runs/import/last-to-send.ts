import { finishedBetween, firstOpen, type JournalFile } from '../../journal/index.ts';
import type { Begun } from './begin.ts';
import { type BudgetRow, firstOver } from './budget.ts';
import { isRehearsal } from './rehearsal.ts';
import type { ImportRequest } from './request.ts';

const windowSize = 5_000;

/**
 * The end of the rows that a session may send, known before the first of them: what only later rows need is not created
 * yet. It is where --limit ends the session, or where the rows that the mapping rejects exceed the error budget even if
 * all others are good: a session takes its rows in the input's order, and never gets further.
 */
export function lastToSend(request: ImportRequest, file: JournalFile, begun: Begun): number {
  // A chosen row may get values of any other row of its person.
  if (begun.run.selection.kind !== 'all') return begun.takesAny ? Number.POSITIVE_INFINITY : 0;
  if (isRehearsal(request)) return request.limit;
  const over = firstOver(request.pipeline.import.policy.maxErrors, openRows(file, begun));
  return over === undefined ? request.limit : Math.min(request.limit, over.seq + 1);
}

function* openRows(file: JournalFile, { run, index }: Begun): Generator<BudgetRow> {
  for (let from = firstOpen(file, run.number); from < run.items; from += windowSize) {
    const to = Math.min(run.items, from + windowSize);
    const finished = finishedBetween(file, run.number, from, to);
    const rejected = index.rejectedBetween(from, to);
    for (let seq = from; seq < to; seq += 1) {
      if (!finished.has(seq)) yield { seq, outcome: rejected.has(seq) ? 'rejected' : 'created' };
    }
  }
}
