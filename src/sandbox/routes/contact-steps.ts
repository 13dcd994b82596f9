import { invalid, Refusal } from '../refusal.ts';
import { objectBody, requiredText, textArray } from '../rules/body.ts';
import { mostTags } from '../store/tags.ts';
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

export const updateLifecycle: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/lifecycle/update',
  writes: true,
  documents: [],
  fromClients: ({ name, ...rest }) => ({ ...rest, name: name === null ? '' : name }),
  handle(call) {
    const row = contactOf(call);
    const { name } = objectBody(call.body, ['name'], call.settings.unknownProperties);
    if (typeof name !== 'string') throw invalid('name is required and must be text; "" removes the stage');
    call.store.contacts.save({ ...row, lifecycle: name === '' ? null : name });
    return { code: 200, message: 'Lifecycle updated successfully' };
  },
};

/** Not in the specification: some workspaces offer it, and the switch `extensions.attachTags` turns it on. */
export const attachTags: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/tag',
  writes: true,
  documents: [404, 449],
  handle(call) {
    const row = contactOf(call);
    const names = textArray(call.body, 'the body');
    if (names.length < 1 || names.length > mostTags)
      throw invalid(`the body must hold 1 to ${mostTags} tags`);
    call.store.transaction(() => {
      if (call.store.tags.attach(row.id, names) > mostTags) {
        throw invalid(`a contact must not have more than ${mostTags} tags`);
      }
    });
    return { contactId: row.id };
  },
};
