import { addComment } from './add-comment.ts';
import { assignContact } from './assign-contact.ts';
import { type AttachTagsExtension, attachTags } from './attach-tags.ts';
import { createContact } from './create-contact.ts';
import { ensureField } from './ensure-field.ts';
import { ensureTag } from './ensure-tag.ts';
import type { FieldRules } from './field-rules.ts';
import { mergeContacts } from './merge-contacts.ts';
import { setConversation } from './set-conversation.ts';
import { setLifecycle } from './set-lifecycle.ts';
import { updateContact } from './update-contact.ts';

/** What some operations need of their workspace. */
export interface OperationParts {
  readonly rules: FieldRules;
  /** Where the user declares it. */
  readonly attachTags?: AttachTagsExtension;
}

/** Every operation by its name, in the order of a run's and a record's steps. */
export const operations = {
  ensureField: () => ensureField,
  ensureTag: () => ensureTag,
  create: () => createContact,
  update: ({ rules }: OperationParts) => updateContact(rules),
  merge: () => mergeContacts,
  attachTags: ({ attachTags: extension }: OperationParts) =>
    extension === undefined ? undefined : attachTags(extension),
  lifecycle: () => setLifecycle,
  comment: () => addComment,
  assignee: () => assignContact,
  conversation: () => setConversation,
} as const;

export type OperationName = keyof typeof operations;
