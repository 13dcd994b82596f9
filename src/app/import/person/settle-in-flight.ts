import type { StepRecord } from '../../../journal/index.ts';
import { createContact } from '../../../steps/create-contact.ts';
import { mergeContacts } from '../../../steps/merge-contacts.ts';
import type { Step } from '../../../steps/step.ts';
import { updateContact } from '../../../steps/update-contact.ts';
import { settleStep } from '../../run/step.ts';
import {
  type Again,
  again,
  type Ended,
  failed,
  type Next,
  type PersonTask,
  type Progress,
  stepOf,
} from './progress.ts';

/** Settles the steps on the contact itself that an interrupted session may have sent. */
export async function settleInFlight(task: PersonTask, progress: Progress): Promise<Next> {
  let now = progress;
  for (const open of task.person.open) {
    const next = await settleOne(task, now, open);
    if (next.kind === 'end') return next;
    now = next.progress;
  }
  return again(now);
}

async function settleOne(task: PersonTask, progress: Progress, open: StepRecord): Promise<Next> {
  const { journal, rules } = task.context;
  const updating = updateContact(rules);
  switch (open.name) {
    case createContact.name: {
      const next = await settle(task, progress, open, createContact, 'created');
      if (next.kind === 'end' || next.progress.did !== 'created') return next;
      return again({ ...next.progress, createdAt: next.progress.createdAt ?? journal.leftBy(open) });
    }
    case mergeContacts.name: {
      const next = await settle(task, progress, open, mergeContacts, 'merged');
      if (next.kind === 'end' || !next.settled) return next;
      return again({ ...next.progress, merges: progress.merges + 1 });
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
      return again(progress);
  }
}

async function settle<E>(
  task: PersonTask,
  progress: Progress,
  open: StepRecord,
  step: Step<E>,
  did: NonNullable<Progress['did']>,
): Promise<Ended | (Again & { readonly settled: boolean })> {
  if (open.state === 'sent') {
    const { context } = task;
    const sent = { ...stepOf(task, step, step.parse(open.intent), []), item: open.item };
    const settled = await settleStep(context, sent);
    if (settled?.kind === 'failed') return failed(task, progress, settled.message);
    if (settled?.kind !== 'done') return { ...again(progress), settled: false };
  } else if (open.state !== 'acked') return { ...again(progress), settled: false };
  return { ...again({ ...progress, did: progress.did ?? did }), settled: true };
}
