import { invalid } from '../refusal.ts';
import { textArray } from '../rules/body.ts';
import { mostTags } from '../store/tags.ts';
import { contactOf, type Endpoint } from './endpoint.ts';

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
