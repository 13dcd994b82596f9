import { invalid, Refusal } from '../refusal.ts';
import {
  type JsonObject,
  leftOut,
  objectBody,
  optionalText,
  requiredText,
  textArray,
} from '../rules/body.ts';
import type { ContactRow } from '../store/contacts.ts';
import { mostTags } from '../store/tags.ts';
import { type Call, contactOf, type Endpoint, secondsOf } from './endpoint.ts';

const longestComment = 1000;

const addComment: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/comment',
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

const updateLifecycle: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/lifecycle/update',
  fromNull: { name: '' },
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
const attachTags: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/tag',
  documents: [404, 449],
  handle(call) {
    const row = contactOf(call);
    const names = tagNames(call.body);
    call.store.transaction(() => {
      if (call.store.tags.attach(row.id, names) > mostTags) {
        throw invalid(`a contact must not have more than ${mostTags} tags`);
      }
    });
    return { contactId: row.id };
  },
};

/** As `attachTags`; a tag that the contact does not have is left out of account. */
const detachTags: Endpoint = {
  method: 'DELETE',
  template: '/contact/{identifier}/tag',
  documents: [404, 449],
  handle(call) {
    const row = contactOf(call);
    call.store.tags.detach(row.id, tagNames(call.body));
    return { contactId: row.id };
  },
};

function tagNames(body: unknown): readonly string[] {
  const names = textArray(body, 'the body');
  if (names.length < 1 || names.length > mostTags) throw invalid(`the body must hold 1 to ${mostTags} tags`);
  return names;
}

/** The operations that `extensions.attachTags` adds to those of the specification. */
export const contactTagRoutes: readonly Endpoint[] = [attachTags, detachTags];

const setConversationStatus: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/status',
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

const assignConversation: Endpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/assignee',
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

export const contactStepRoutes: readonly Endpoint[] = [
  updateLifecycle,
  addComment,
  setConversationStatus,
  assignConversation,
];
