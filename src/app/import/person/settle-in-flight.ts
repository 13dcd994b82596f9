import type { StepRecord } from '../../../journal/index.ts';
import { contactCreateStep } from '../../../steps/create-contact.ts';
import { contactMergeStep } from '../../../steps/merge-contacts.ts';
import type { Step } from '../../../steps/step.ts';
import { createContactUpdateStep } from '../../../steps/update-contact.ts';
import { settleStep } from '../../run/step.ts';
import {
  createRepeatLookupResult,
  type FinishedPerson,
  finishAsFailed,
  type PersonAttemptResult,
  type PersonProgress,
  type PersonTask,
  planContactWriteStep,
  type RepeatLookupResult,
} from './progress.ts';

/**
 * Settles the create, merges and updates that an interrupted session may have sent; returns the progress, or a failed
 * result.
 */
export async function settleInFlightSteps(
  task: PersonTask,
  progress: PersonProgress,
): Promise<PersonAttemptResult> {
  let now = progress;
  for (const open of task.person.open) {
    const next = await settleOne(task, now, open);
    if (next.kind === 'end') return next;
    now = next.progress;
  }
  return createRepeatLookupResult(now);
}

async function settleOne(
  task: PersonTask,
  progress: PersonProgress,
  open: StepRecord,
): Promise<PersonAttemptResult> {
  const { journal, rules } = task.context;
  const updating = createContactUpdateStep(rules);
  switch (open.name) {
    case contactCreateStep.name: {
      const next = await settle(task, progress, open, contactCreateStep, 'created');
      if (next.kind === 'end' || next.progress.did !== 'created') return next;
      return createRepeatLookupResult({
        ...next.progress,
        createdAt: next.progress.createdAt ?? journal.leftBy(open),
      });
    }
    case contactMergeStep.name: {
      const next = await settle(task, progress, open, contactMergeStep, 'merged');
      if (next.kind === 'end' || !next.settled) return next;
      return createRepeatLookupResult({ ...next.progress, merges: progress.merges + 1 });
    }
    case updating.name: {
      if (open.state !== 'sent') return await settle(task, progress, open, updating, 'updated');
      // The request may still arrive: later rows of this contact must wait for it, this row need not.
      const effect = updating.parse(open.intent);
      journal.mayArriveLate(updating.mayArriveLate(effect));
      const inFlight = { effect, item: open.item };
      return await settle(task, { ...progress, inFlight }, open, updating, 'updated');
    }
    default:
      // The steps that follow the contact's own values are settled later, when they are run.
      return createRepeatLookupResult(progress);
  }
}

async function settle<E>(
  task: PersonTask,
  progress: PersonProgress,
  open: StepRecord,
  step: Step<E>,
  did: NonNullable<PersonProgress['did']>,
): Promise<FinishedPerson | (RepeatLookupResult & { readonly settled: boolean })> {
  if (open.state === 'sent') {
    const { context } = task;
    const sent = { ...planContactWriteStep(task, step, step.parse(open.intent), []), item: open.item };
    const settled = await settleStep(context, sent);
    if (settled?.kind === 'failed') return finishAsFailed(task, progress, settled.message);
    if (settled?.kind !== 'done') return { ...createRepeatLookupResult(progress), settled: false };
  } else if (open.state !== 'acked') return { ...createRepeatLookupResult(progress), settled: false };
  return { ...createRepeatLookupResult({ ...progress, did: progress.did ?? did }), settled: true };
}
