import { listStepsOfUnfinishedItems, readFinishedItemNumbers } from '../../journal/index.ts';
import { AccessDeniedError, type FatalError } from '../../model/fatal-error.ts';
import { toFatalError } from '../run/as-fatal.ts';
import { forEachConcurrently } from '../run/at-once.ts';
import type { UndoContext } from './context.ts';
import { type ActiveUndoItem, type PendingUndoItem, revertContact } from './revert-contact.ts';
import type { WrittenContact } from './written-values.ts';

const pageSize = 500;

interface Pace {
  /** The maximum number of contacts reverted concurrently. */
  readonly concurrency: number;
  /** Called with the change in the number of active contacts. */
  readonly count: (more: number) => void;
  /** Stops the undo; no more requests are sent. */
  readonly halt: (reason: FatalError) => void;
}

/**
 * Reverts all unfinished contacts and waits until none is active; throws the error that stopped the undo, if one did.
 */
export async function revertContacts(context: UndoContext, pace: Pace): Promise<void> {
  const denied = await walk(context, pace, 'leave open');
  if (denied === 0) return;
  // Contacts whose requests got a 403 are tried again after all others; a second 403 stops the undo.
  context.journal.flush();
  await walk(context, pace, 'stop');
}

/** Reverts unfinished contacts; returns the number left open because the token lacks a permission. */
async function walk(context: UndoContext, pace: Pace, atDenial: 'leave open' | 'stop'): Promise<number> {
  let denied = 0;
  await forEachConcurrently(pace.concurrency, openItems(context), async (item, withoutSlot) => {
    pace.count(1);
    try {
      await take(context, { ...item, withoutSlot });
    } catch (error) {
      // Sent steps are in the journal; the next session settles them.
      if (error instanceof AccessDeniedError && !error.final && atDenial === 'leave open') denied += 1;
      else pace.halt(toFatalError(error));
    } finally {
      pace.count(-1);
    }
  });
  context.signal.throwIfAborted();
  return denied;
}

/** Yields the unfinished contacts until the undo is stopped. */
function* openItems(context: UndoContext): Generator<PendingUndoItem> {
  let [after, seq] = [Number.MIN_SAFE_INTEGER, 0];
  for (;;) {
    const page = context.wrote.subjectsAfter(after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const item of itemsOf(context, page, seq)) {
      if (context.signal.aborted) return;
      yield item;
    }
    after = last.contact;
    seq += page.length;
  }
}

function itemsOf(
  { file, journal }: UndoContext,
  page: readonly WrittenContact[],
  from: number,
): readonly PendingUndoItem[] {
  const { number } = journal.run;
  const finished = readFinishedItemNumbers(file, number, from, from + page.length);
  const open = listStepsOfUnfinishedItems(file, number, from, from + page.length);
  return page
    .map((subject, n) => ({
      seq: from + n,
      subject,
      open: open.filter((step) => step.seq === from + n),
    }))
    .filter(({ seq }) => !finished.has(seq));
}

async function take(context: UndoContext, item: ActiveUndoItem): Promise<void> {
  const row = await revertContact(context, item);
  context.journal.finish({ rows: [row], proposals: [], tagged: undefined, also: [] });
  const { line, key, outcome, contact, problems } = row;
  context.listen({ kind: 'row', line, key, outcome, contactId: contact, problems });
}
