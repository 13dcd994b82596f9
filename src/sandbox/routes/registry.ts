import type { Settings } from '../options.ts';
import { listContacts } from './contact-list.ts';
import { mergeContacts } from './contact-merge.ts';
import { addComment, attachTags, updateLifecycle } from './contact-steps.ts';
import { createContact, readContact, updateContact } from './contacts.ts';
import { assignConversation, setConversationStatus } from './conversations.ts';
import type { Endpoint } from './endpoint.ts';
import { listMessages, readMessage } from './messages.ts';
import {
  createCustomField,
  listClosingNotes,
  listCustomFields,
  listTemplates,
  listUsers,
  readUser,
} from './settings.ts';
import { createTag, deleteTag, updateTag } from './tags.ts';

/** Every operation of the specification, in its order. */
const endpoints: readonly Endpoint[] = [
  createContact,
  readContact,
  updateContact,
  mergeContacts,
  listContacts,
  updateLifecycle,
  addComment,
  setConversationStatus,
  assignConversation,
  listMessages,
  readMessage,
  listCustomFields,
  createCustomField,
  createTag,
  updateTag,
  deleteTag,
  listUsers,
  readUser,
  listClosingNotes,
  listTemplates,
];

/** The operations that a sandbox with these switches serves. */
export function endpointsOf(settings: Settings): readonly Endpoint[] {
  return settings.extensions.attachTags === true ? [...endpoints, attachTags] : endpoints;
}
