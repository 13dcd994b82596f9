import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import type { SingleEffectStep, StepPlan } from './contact-step.ts';
import { contactStepDefaults, settleByReading, toStepAnswer } from './step.ts';

const effectSchema = z.object({ contactId: z.number(), userId: z.number().nullable() });

export interface AssigneeEffect {
  readonly contactId: number;
  /** null unassigns. */
  readonly userId: number | null;
}

export interface AssigneeRules {
  /** `empty`: a contact that existed before keeps its assignee, if it has one; a created contact is always assigned. */
  readonly only: 'changed' | 'empty';
  /** True if this row created the contact, or an earlier run with this work dir did. */
  readonly created: boolean;
}

/** Creates the step for the assigned user: assigning the same user again has no second effect. */
export function createAssigneeStep(): SingleEffectStep<AssigneeEffect> {
  return {
    kind: 'state',
    state: 'assignee',
    name: 'assignee',
    label: 'assignees set',
    ...contactStepDefaults,
    wanted: (draft) => draft.assignee?.userId,
    isAllowed: () => true,
    plan: ({ draft, contact, only, created }) => planAssignment(draft, contact, { only, created }),
    parse: (intent) => effectSchema.parse(intent),
    before: (_, [contact]) => contact && { userId: contact.assignee?.id ?? null },
    send: async (workspace, { contactId, userId }, options) => {
      const wanted = userId === null ? null : String(userId);
      return toStepAnswer(
        await workspace.conversations.assign(idToIdentifier(contactId), wanted, options),
        contactId,
      );
    },
    settle: (workspace, { contactId, userId }, options) =>
      settleByReading(workspace, contactId, (contact) => (contact.assignee?.id ?? null) === userId, options),
  };
}

/** Plans the assignment of the row's user; under `only: empty`, a contact that existed before keeps its assignee. */
export function planAssignment(
  draft: Draft,
  contact: Contact,
  { only, created }: AssigneeRules,
): StepPlan<AssigneeEffect> {
  if (draft.assignee === undefined) return { kind: 'nothing' };
  const { userId, as } = draft.assignee;
  const present = contact.assignee?.id ?? null;
  if (present === userId) return { kind: 'nothing' };
  if (only === 'empty' && !created && present !== null) {
    // No note: a row with an empty assignee or an empty `as` names no user.
    if (userId === null || as === '') return { kind: 'nothing' };
    const reason = `contact ${contact.id} is assigned to user ${present}, so ${JSON.stringify(as)} is left out (onMatch: fill)`;
    return { kind: 'left', note: { code: 'assignee.kept', column: null, reason } };
  }
  return { kind: 'effect', effect: { contactId: contact.id, userId } };
}
