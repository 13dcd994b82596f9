import { assignee } from './assignee.ts';
import { type CommentStep, comments } from './comments.ts';
import type { ListStep, StateStep, StepRules } from './contact-step.ts';
import { conversation } from './conversation.ts';
import { createContact } from './create-contact.ts';
import { deleteTag } from './delete-tag.ts';
import { ensureField } from './ensure-field.ts';
import { ensureTag } from './ensure-tag.ts';
import { fieldRules } from './field-rules.ts';
import { lifecycle } from './lifecycle.ts';
import { mergeContacts } from './merge-contacts.ts';
import type { Step } from './step.ts';
import { tags } from './tags.ts';
import { updateContact } from './update-contact.ts';

/** A step that runs after the contact's own values. */
export type ContactStep = StateStep<unknown> | ListStep | CommentStep;

/** Every contact step, in the order in which they run. */
const inOrder: readonly ((rules: StepRules) => ContactStep)[] = [
  tags,
  lifecycle,
  comments,
  assignee,
  conversation,
];

/** Returns the contact steps of an import. */
export function contactSteps(rules: StepRules): readonly ContactStep[] {
  return inOrder.map((step) => step(rules));
}

/** All kinds of step with their labels, in the order of a run's and a row's steps. */
export const stepLabels: readonly Pick<Step<never>, 'name' | 'label'>[] = [
  ensureField,
  ensureTag,
  deleteTag,
  createContact,
  updateContact(fieldRules([])),
  mergeContacts,
  ...contactSteps({ mapping: {} }),
];
