import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import type { SingleEffectStep, StepPlan, StepRules } from './contact-step.ts';
import { contactStepDefaults, settleByReading, toStepAnswer } from './step.ts';

const effectSchema = z.object({
  contactId: z.number(),
  status: z.enum(['open', 'closed']),
  category: z.string().exactOptional(),
  summary: z.string().exactOptional(),
});

export interface ConversationEffect {
  readonly contactId: number;
  readonly status: 'open' | 'closed';
  readonly category?: string;
  readonly summary?: string;
}

export interface ConversationRules {
  /** True if this row created the contact, or an earlier run with this work dir did. */
  readonly created: boolean;
  /** True if conversations of contacts that existed before are changed, too. */
  readonly existing: boolean;
  /** True if an earlier import opened or closed it in the same way. */
  readonly isApplied?: boolean;
}

/**
 * Creates the step that opens or closes the conversation. If the answer is lost, only the conversation's status is
 * compared, because the category of a closing cannot be read back.
 */
export function createConversationStep({ mapping }: StepRules): SingleEffectStep<ConversationEffect> {
  const existing = mapping.conversation?.existing === true;
  return {
    kind: 'state',
    state: 'conversation',
    name: 'conversation',
    label: 'conversations opened or closed',
    ...contactStepDefaults,
    wanted: (draft) => draft.conversation,
    isAllowed: (created) => created || existing,
    plan: ({ draft, contact, created, isApplied = false }) =>
      planConversation(draft, contact, { created, existing, isApplied }),
    parse: (intent) => effectSchema.parse(intent),
    before: (_, [contact]) => contact && { status: contact.status },
    send: async (workspace, { contactId, status, ...closing }, options) => {
      const body = { status: status === 'closed' ? 'close' : status, ...closing } as const;
      return toStepAnswer(
        await workspace.conversations.setStatus(idToIdentifier(contactId), body, options),
        contactId,
      );
    },
    settle: (workspace, { contactId, status }, options) =>
      settleByReading(workspace, contactId, (contact) => contact.status === status, options),
  };
}

/**
 * Plans the change to the conversation status that the row asks for, if the mapping allows it. The conversation of a
 * blocked contact is not changed; a note says so.
 */
export function planConversation(
  draft: Draft,
  contact: Contact,
  { created, existing, isApplied = false }: ConversationRules,
): StepPlan<ConversationEffect> {
  const desired = draft.conversation;
  if (desired === undefined || !(created || existing)) return { kind: 'nothing' };
  if (contact.isBlocked || contact.status === 'blocked') {
    const reason = `contact ${contact.id} is blocked, and a blocked contact's conversation is left as it is`;
    return { kind: 'left', note: { code: 'conversation.blocked', column: null, reason } };
  }
  const closing = closingOf(desired);
  // A category cannot be read back: only the memory of an earlier import says that it is there.
  const isAsDesired = closing.category === undefined || isApplied;
  if (contact.status === desired.status && isAsDesired) return { kind: 'nothing' };
  return { kind: 'effect', effect: { contactId: contact.id, status: desired.status, ...closing } };
}

/** Returns the category and summary of a closing; neither for an opening, and no summary without a category. */
function closingOf({
  status,
  category,
  summary,
}: NonNullable<Draft['conversation']>): Pick<ConversationEffect, 'category' | 'summary'> {
  if (status === 'open' || category === undefined) return {};
  return summary === undefined ? { category } : { category, summary };
}
