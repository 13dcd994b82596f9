import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { byId, identifierText } from '../model/identifier.ts';
import type { Operation } from './operation.ts';
import { settleByReading } from './settle-by-reading.ts';
import type { StepPlan } from './step-plan.ts';

const effectSchema = z.object({ contactId: z.number(), userId: z.number().nullable() });

export interface AssignEffect {
  readonly contactId: number;
  /** null unassigns. */
  readonly userId: number | null;
}

export interface AssignRules {
  /** `empty`: only a contact that is there already and has no assignee; a created one always. */
  readonly only: 'changed' | 'empty';
  /** Whether the row created the contact. */
  readonly created: boolean;
}

/** The user whom the row wants for the contact, where somebody else or nobody is assigned. */
export function planAssign(
  draft: Draft,
  contact: Contact,
  { only, created }: AssignRules,
): StepPlan<AssignEffect> {
  if (draft.assignee === undefined) return { kind: 'nothing' };
  const { userId } = draft.assignee;
  const present = contact.assignee?.id ?? null;
  if (present === userId) return { kind: 'nothing' };
  if (only === 'empty' && !created && present !== null) return { kind: 'nothing' };
  return { kind: 'effect', effect: { contactId: contact.id, userId } };
}

/** POST …/conversation/assignee: the same user again is no second effect. */
export const assignContact: Operation<AssignEffect> = {
  name: 'assignee',
  showsLate: false,
  parse: (intent) => effectSchema.parse(intent),
  creates: () => [],
  overtakes: (effect) => [identifierText(byId(effect.contactId))],
  async send(workspace, { contactId, userId }) {
    const assignee = userId === null ? null : String(userId);
    const answer = await workspace.conversations.assign(byId(contactId), assignee);
    return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
  },
  settle: (workspace, { contactId, userId }) =>
    settleByReading(workspace, contactId, (contact) => (contact.assignee?.id ?? null) === userId),
};
