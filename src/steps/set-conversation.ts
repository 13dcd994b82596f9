import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { byId, identifierText } from '../model/identifier.ts';
import type { Operation } from './operation.ts';
import { settleByReading } from './settle-by-reading.ts';
import type { StepPlan } from './step-plan.ts';

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
  /** Whether the row created the contact. */
  readonly created: boolean;
  /** Whether conversations of people who were there already are touched, too. */
  readonly existing: boolean;
}

/** How the row wants the contact's conversation, where it is ours to touch; a blocked one never is. */
export function planConversation(
  draft: Draft,
  contact: Contact,
  { created, existing }: ConversationRules,
): StepPlan<ConversationEffect> {
  const wish = draft.conversation;
  if (wish === undefined || !(created || existing)) return { kind: 'nothing' };
  if (contact.isBlocked || contact.status === 'blocked') {
    const reason = `contact ${contact.id} is blocked, and a blocked contact's conversation is left as it is`;
    return { kind: 'left', note: { code: 'conversation.blocked', column: null, reason } };
  }
  const closing = closingOf(wish);
  if (contact.status === wish.status && closing.category === undefined) return { kind: 'nothing' };
  return { kind: 'effect', effect: { contactId: contact.id, status: wish.status, ...closing } };
}

/** Only a closing has a category, and only with a category a summary counts. */
function closingOf({
  status,
  category,
  summary,
}: NonNullable<Draft['conversation']>): Pick<ConversationEffect, 'category' | 'summary'> {
  if (status === 'open' || category === undefined) return {};
  return summary === undefined ? { category } : { category, summary };
}

/** POST …/conversation/status: a status that stands as wanted is done, its category cannot be read back. */
export const setConversation: Operation<ConversationEffect> = {
  name: 'conversation',
  showsLate: false,
  parse: (intent) => effectSchema.parse(intent),
  creates: () => [],
  overtakes: (effect) => [identifierText(byId(effect.contactId))],
  async send(workspace, { contactId, status, ...closing }) {
    const body = { status: status === 'closed' ? 'close' : status, ...closing } as const;
    const answer = await workspace.conversations.setStatus(byId(contactId), body);
    return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
  },
  settle: (workspace, { contactId, status }) =>
    settleByReading(workspace, contactId, (contact) => contact.status === status),
};
