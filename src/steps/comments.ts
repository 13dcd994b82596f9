import { z } from 'zod';
import type { CommentDraft } from '../model/draft.ts';
import { byId } from '../model/identifier.ts';
import { commentParts } from './comment-parts.ts';
import type { StepRules } from './contact-step.ts';
import { effected, type Step } from './step.ts';

const effectSchema = z.object({
  contactId: z.number(),
  comment: z.string(),
  part: z.object({ number: z.int(), of: z.int() }),
  text: z.string(),
});

export interface CommentEffect {
  readonly contactId: number;
  /** The comment's id among those of its row. */
  readonly comment: string;
  readonly part: { readonly number: number; readonly of: number };
  readonly text: string;
}

/** The requests of one comment, in the order in which they are sent. */
export function planComment(contactId: number, { id, text }: CommentDraft): readonly CommentEffect[] {
  const parts = commentParts(text);
  return parts.map((part, i) => ({
    contactId,
    comment: id,
    part: { number: i + 1, of: parts.length },
    text: part,
  }));
}

/** Entries that are sent once each, in order, and remembered by their ids. */
export interface CommentStep extends Step<CommentEffect> {
  readonly kind: 'comments';
  /** Whether people who were there already get comments, too. */
  readonly existing: boolean;
}

/** Comments: a second sending is a second comment, and the interface lists none, so a lost one stays uncertain. */
export function comments({ mapping }: StepRules): CommentStep {
  const rule = mapping.comments;
  return {
    kind: 'comments',
    name: 'comment',
    label: 'comments added',
    existing: rule !== undefined && !Array.isArray(rule) && rule.existing === 'send',
    eventuallyVisible: false,
    parse: (intent) => effectSchema.parse(intent),
    // Nobody can take a comment back.
    before: () => null,
    creates: () => [],
    mayArriveLate: () => [],
    send: async (workspace, { contactId, text }) =>
      effected(await workspace.contacts.comment(byId(contactId), text), contactId),
    settle: () => Promise.resolve({ kind: 'unknowable' }),
  };
}
