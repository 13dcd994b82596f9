import { Refusal } from '../refusal.ts';
import { objectBody, requiredText } from '../rules/body.ts';
import { contactOf, type Endpoint, secondsOf } from './endpoint.ts';

const longestComment = 1000;

export const addComment: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/comment',
  writes: true,
  creates: true,
  documents: [404, 449],
  handle(call) {
    const row = contactOf(call);
    const body = objectBody(call.body, ['text'], call.settings.unknownProperties);
    const text = requiredText(body, 'text');
    if (text.length > longestComment) {
      throw new Refusal(400, `Comment length must not exceed ${longestComment} characters.`);
    }
    const comment = { contactId: row.id, text, created_at: secondsOf(call) };
    call.store.comments.add(comment);
    return comment;
  },
};
