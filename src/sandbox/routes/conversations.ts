import { invalid } from '../refusal.ts';
import { type JsonObject, leftOut, objectBody, optionalText } from '../rules/body.ts';
import type { ContactRow } from '../store/contacts.ts';
import { type Call, contactOf, type Endpoint } from './endpoint.ts';

export const setConversationStatus: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/status',
  writes: true,
  documents: [404, 449],
  fromClients: (body) => leftOut(body, ['category', 'summary'], (value) => value === ''),
  handle(call) {
    const row = contactOf(call);
    const body = objectBody(call.body, ['status', 'category', 'summary'], call.settings.unknownProperties);
    if (body.status !== 'open' && body.status !== 'close') {
      throw invalid('status must be "open" or "close"');
    }
    const closing = closingOf(call, body);
    call.store.contacts.save(
      body.status === 'open'
        ? { ...row, status: 'open', closingCategory: null, closingSummary: null }
        : { ...row, status: 'closed', ...closing },
    );
    return { contactId: row.id };
  },
};

/** The summary counts only beside a category, and the category must be one of the closing notes. */
function closingOf(call: Call, body: JsonObject): Pick<ContactRow, 'closingCategory' | 'closingSummary'> {
  const category = optionalText(body, 'category', 128);
  const summary = optionalText(body, 'summary', 512);
  if (category === undefined) return { closingCategory: null, closingSummary: null };
  if (!call.store.closingNotes.has(category)) throw invalid(`there is no closing note "${category}"`);
  return { closingCategory: category, closingSummary: summary ?? null };
}

export const assignConversation: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/assignee',
  writes: true,
  documents: [404, 449],
  fromClients: ({ assignee, ...rest }) => ({
    ...rest,
    assignee: typeof assignee === 'number' ? String(assignee) : assignee,
  }),
  handle(call) {
    const row = contactOf(call);
    const { assignee } = objectBody(call.body, ['assignee'], call.settings.unknownProperties);
    call.store.contacts.save({ ...row, assignee: assignee === null ? null : userId(call, assignee) });
    return { contactId: row.id };
  },
};

function userId(call: Call, assignee: unknown): number {
  if (typeof assignee !== 'string') {
    throw invalid('assignee is required: the id or e-mail of a user as text, or null');
  }
  const { users } = call.store;
  const user = /^\d{1,15}$/.test(assignee) ? users.byId(Number(assignee)) : users.byEmail(assignee);
  if (user === undefined) throw invalid(`there is no user "${assignee}"`);
  return user.id;
}
