import { ApiError, createValidationError } from '../api-error.ts';
import {
  type JsonObject,
  omitEmptyProperties,
  readOptionalText,
  readRequiredText,
  readTextArray,
  requireObjectBody,
} from '../rules/body.ts';
import type { ContactRow } from '../store/contacts.ts';
import { maxContactTags } from '../store/tags.ts';
import { getRequestUnixTime, type RouteCall, requireContact, type SandboxEndpoint } from './endpoint.ts';

const longestComment = 1000;

const addComment: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}/comment',
  creates: true,
  documents: [404, 449],
  handle(call) {
    const row = requireContact(call);
    const body = requireObjectBody(call.body, ['text'], call.settings.unknownProperties);
    const text = readRequiredText(body, 'text');
    if (text.length > longestComment) {
      throw new ApiError(400, `Comment length must not exceed ${longestComment} characters.`);
    }
    const comment = { contactId: row.id, text, created_at: getRequestUnixTime(call) };
    call.store.comments.add(comment);
    return comment;
  },
};

const updateLifecycle: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}/lifecycle/update',
  fromNull: { name: '' },
  fromClients: ({ name, ...rest }) => ({ ...rest, name: name === null ? '' : name }),
  handle(call) {
    const row = requireContact(call);
    const { name } = requireObjectBody(call.body, ['name'], call.settings.unknownProperties);
    if (typeof name !== 'string')
      throw createValidationError('name is required and must be text; "" removes the stage');
    call.store.contacts.save({ ...row, lifecycle: name === '' ? null : name });
    return { code: 200, message: 'Lifecycle updated successfully' };
  },
};

/** Attaches tags to a contact: not in the specification, and only with the setting `extensions.attachTags`. */
const attachTags: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}/tag',
  documents: [404, 449],
  handle(call) {
    const row = requireContact(call);
    const names = tagNames(call.body);
    call.store.transaction(() => {
      if (call.store.tags.attach(row.id, names) > maxContactTags) {
        throw createValidationError(`a contact must not have more than ${maxContactTags} tags`);
      }
    });
    return { contactId: row.id };
  },
};

/** Detaches tags: also only with `extensions.attachTags`; a tag that the contact does not have is ignored. */
const detachTags: SandboxEndpoint = {
  method: 'DELETE',
  template: '/contact/{identifier}/tag',
  documents: [404, 449],
  handle(call) {
    const row = requireContact(call);
    call.store.tags.detach(row.id, tagNames(call.body));
    return { contactId: row.id };
  },
};

function tagNames(body: unknown): readonly string[] {
  const names = readTextArray(body, 'the body');
  if (names.length < 1 || names.length > maxContactTags)
    throw createValidationError(`the body must hold 1 to ${maxContactTags} tags`);
  return names;
}

/** The operations that `extensions.attachTags` adds to those of the specification. */
export const contactTagRoutes: readonly SandboxEndpoint[] = [attachTags, detachTags];

const setConversationStatus: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/status',
  documents: [404, 449],
  fromClients: (body) => omitEmptyProperties(body, ['category', 'summary'], (value) => value === ''),
  handle(call) {
    const row = requireContact(call);
    const body = requireObjectBody(
      call.body,
      ['status', 'category', 'summary'],
      call.settings.unknownProperties,
    );
    if (body.status !== 'open' && body.status !== 'close') {
      throw createValidationError('status must be "open" or "close"');
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

/** Returns the closing category and summary, both null without a category; throws a 400 for an unknown category. */
function closingOf(
  call: RouteCall,
  body: JsonObject,
): Pick<ContactRow, 'closingCategory' | 'closingSummary'> {
  const category = readOptionalText(body, 'category', 128);
  const summary = readOptionalText(body, 'summary', 512);
  if (category === undefined) return { closingCategory: null, closingSummary: null };
  if (!call.store.closingNotes.has(category))
    throw createValidationError(`there is no closing note "${category}"`);
  return { closingCategory: category, closingSummary: summary ?? null };
}

const assignConversation: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/{identifier}/conversation/assignee',
  documents: [404, 449],
  fromClients: ({ assignee, ...rest }) => ({
    ...rest,
    assignee: typeof assignee === 'number' ? String(assignee) : assignee,
  }),
  handle(call) {
    const row = requireContact(call);
    const { assignee } = requireObjectBody(call.body, ['assignee'], call.settings.unknownProperties);
    call.store.contacts.save({ ...row, assignee: assignee === null ? null : userId(call, assignee) });
    return { contactId: row.id };
  },
};

function userId(call: RouteCall, assignee: unknown): number {
  if (typeof assignee !== 'string') {
    throw createValidationError('assignee is required: the id or e-mail of a user as text, or null');
  }
  const { users } = call.store;
  const user = /^\d{1,15}$/.test(assignee) ? users.byId(Number(assignee)) : users.byEmail(assignee);
  if (user === undefined) throw createValidationError(`there is no user "${assignee}"`);
  return user.id;
}

export const contactStepRoutes: readonly SandboxEndpoint[] = [
  updateLifecycle,
  addComment,
  setConversationStatus,
  assignConversation,
];
