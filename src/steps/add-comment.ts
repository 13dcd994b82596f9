import { z } from 'zod';
import type { CommentDraft } from '../model/draft.ts';
import { byId } from '../model/identifier.ts';
import { commentParts } from './comment-parts.ts';
import type { Operation } from './operation.ts';

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

/** POST …/comment: a second sending is a second comment, and the interface lists none, so a lost one stays uncertain. */
export const addComment: Operation<CommentEffect> = {
  name: 'comment',
  showsLate: false,
  parse: (intent) => effectSchema.parse(intent),
  creates: () => [],
  overtakes: () => [],
  async send(workspace, { contactId, text }) {
    const answer = await workspace.contacts.comment(byId(contactId), text);
    return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
  },
  settle: () => Promise.resolve({ kind: 'unknowable' }),
};
