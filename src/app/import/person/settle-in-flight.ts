import type { StepRecord } from '../../../journal/index.ts';
import { createContactStep } from '../../../steps/create-contact.ts';
import { mergeContactsStep } from '../../../steps/merge-contacts.ts';
import type { Step } from '../../../steps/step.ts';
import { updateContactStep } from '../../../steps/update-contact.ts';
import { settleStep } from '../../run/step.ts';
import {
  contactStepOf,
  type DecideAgain,
  decideAgain,
  endAsFailed,
  type NextDecision,
  type PersonProgress,
  type PersonResult,
  type PersonTask,
} from './progress.ts';

/** Settles the create, merges and updates that an interrupted session may have sent; returns the progress, or a failed result. */
export async function settleInFlight(task: PersonTask, progress: PersonProgress): Promise<NextDecision> {
  let now = progress;
  for (const open of task.person.open) {
    const next = await settleOne(task, now, open);
    if (next.kind === 'end') return next;
    now = next.progress;
  }
  return decideAgain(now);
}

async function settleOne(
  task: PersonTask,
  progress: PersonProgress,
  open: StepRecord,
): Promise<NextDecision> {
  const { journal, rules } = task.context;
  const updating = updateContactStep(rules);
  switch (open.name) {
    case createContactStep.name: {
      const next = await settle(task, progress, open, createContactStep, 'created');
      if (next.kind === 'end' || next.progress.did !== 'created') return next;
      return decideAgain({ ...next.progress, createdAt: next.progress.createdAt ?? journal.leftBy(open) });
    }
    case mergeContactsStep.name: {
      const next = await settle(task, progress, open, mergeContactsStep, 'merged');
      if (next.kind === 'end' || !next.settled) return next;
      return decideAgain({ ...next.progress, merges: progress.merges + 1 });
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
      // The steps that follow the contact's own are settled when their turn comes.
      return decideAgain(progress);
  }
}

async function settle<E>(
  task: PersonTask,
  progress: PersonProgress,
  open: StepRecord,
  step: Step<E>,
  did: NonNullable<PersonProgress['did']>,
): Promise<PersonResult | (DecideAgain & { readonly settled: boolean })> {
  if (open.state === 'sent') {
    const { context } = task;
    const sent = { ...contactStepOf(task, step, step.parse(open.intent), []), item: open.item };
    const settled = await settleStep(context, sent);
    if (settled?.kind === 'failed') return endAsFailed(task, progress, settled.message);
    if (settled?.kind !== 'done') return { ...decideAgain(progress), settled: false };
  } else if (open.state !== 'acked') return { ...decideAgain(progress), settled: false };
  return { ...decideAgain({ ...progress, did: progress.did ?? did }), settled: true };
}
